package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how the jobs of a filter are found: by the rarest of its terms, which are its keys, its
 * labels and its subject, or by looking at one job after the other.
 *
 * <p>Each job has its terms for as long as it is kept. Where a filter wants no ended jobs, a term
 * that many have is no help: most of its jobs have ended. A subject is the term of the chosen label
 * if some job has that, and otherwise none: then it is a destination. What is written like a host
 * is none at once: jobs may be about it by their label, and others by where they go.
 */
final class TermChoice {
  private static final int MANY = 20_000;
  private static final Pattern HOST = Pattern.compile("localhost|(?=.*[.:])[a-z0-9.:\\[\\]-]+");

  private static final String RAREST =
      """
      select t.term, n.jobs
      from (
        select ebb.term(u.field, u.value) as term, 0 as least
        from unnest(?::text[], ?::text[]) u (field, value)
        union
        select ebb.term('label', s.subject || '=' || ?), 1
        from ebb.settings s
      ) t
      cross join lateral (
        select count(*) as jobs
        from (select from ebb.every_term e where e.term = t.term limit ?) found
      ) n
      where n.jobs >= t.least
      order by n.jobs, t.term
      limit 1
      """;

  private TermChoice() {}

  /** A term as the index has it, and how many jobs have it, up to {@value #MANY}. */
  private record RarestTerm(long term, int jobs) {}

  /** The term by which to find them; {@code null} for none. */
  static @Nullable Long of(Connection connection, JobFilter filter) throws SQLException {
    List<String> fields = new ArrayList<>();
    List<String> values = new ArrayList<>(filter.labels().wanted());
    values.forEach(_ -> fields.add("label"));
    if (filter.uniqueKey() != null) {
      fields.add("key");
      values.add(filter.uniqueKey());
    }
    if (filter.orderingKey() != null) {
      fields.add("ordering");
      values.add(filter.orderingKey());
    }
    String labelled = labelled(filter.subject());
    if (fields.isEmpty() && labelled == null) {
      return null;
    }
    RarestTerm rarest =
        Statements.first(
            connection,
            RAREST,
            p -> p.texts(fields).texts(values).text(labelled).integer(MANY),
            row -> new RarestTerm(row.getLong("term"), row.getInt("jobs")));
    return rarest == null || (rarest.jobs == MANY && !FilterSql.wantsEnded(filter))
        ? null
        : rarest.term;
  }

  /** The subject where only a label tells it. */
  private static @Nullable String labelled(@Nullable String subject) {
    return subject == null || HOST.matcher(subject).matches() ? null : subject;
  }
}
