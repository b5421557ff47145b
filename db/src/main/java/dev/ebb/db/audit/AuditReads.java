package dev.ebb.db.audit;

import dev.ebb.core.access.Act;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the audit, newest first. */
public final class AuditReads {
  /** How many rows a page looks at, at most: its cost is bounded, not its yield. */
  static final int SCAN = 5_000;

  // One of the three branches runs: that of the index which leaves the fewest rows.
  private static final String LIST =
      """
      with scanned as materialized (
        (
          select * from ebb.audit
          where ? and subject = ? and id >= ? and id < ? and id < ?
          order by id desc
          limit ?
        )
        union all
        (
          select * from ebb.audit
          where ? and actor = ? and id >= ? and id < ? and id < ?
          order by id desc
          limit ?
        )
        union all
        (
          select * from ebb.audit
          where ? and id >= ? and id < ? and id < ?
          order by id desc
          limit ?
        )
      ), picked as (
        select *
        from scanned
        where (?::text is null or actor = ?)
          and (?::text is null or ? in (action, split_part(action, '.', 1)))
        order by id desc
        limit ?
      ), summary as (
        select count(*) as scanned, (select id from scanned order by id limit 1) as oldest
        from scanned
      )
      select s.scanned, s.oldest, p.*, ebb.made_at(p.id) as at
      from summary s
      left join picked p on true
      order by p.id desc
      """;

  private final Database database;

  public AuditReads(Database database) {
    this.database = database;
  }

  /**
   * A page of entries. It may be short, even empty, before the end: the cost of a page is bounded,
   * not its yield.
   *
   * @param next where the next page begins, {@code null} at the end
   */
  public record Page(List<AuditEntry> entries, @Nullable UUID next) {}

  /** A row, of which {@code entry} is absent where the page is empty. */
  private record ScannedEntry(@Nullable AuditEntry entry, long scanned, @Nullable UUID oldest) {}

  /** A page of what the filter lets through, at most {@code limit} entries. */
  public Page list(AuditFilter filter, int limit) throws SQLException {
    return database.inAutocommit(connection -> list(connection, filter, limit));
  }

  /** The same, as the connection's transaction sees it. */
  public static Page list(Connection connection, AuditFilter filter, int limit)
      throws SQLException {
    List<ScannedEntry> rows =
        Statements.list(connection, LIST, p -> bind(p, filter, limit), AuditReads::seen);
    List<AuditEntry> entries = new ArrayList<>();
    for (ScannedEntry row : rows) {
      if (row.entry() != null) {
        entries.add(row.entry());
      }
    }
    ScannedEntry any = rows.getFirst();
    UUID oldest = any.scanned() == SCAN ? any.oldest() : null;
    return new Page(entries, entries.size() == limit ? entries.getLast().id() : oldest);
  }

  private static void bind(Parameters parameters, AuditFilter filter, int limit)
      throws SQLException {
    boolean bySubject = filter.subject() != null;
    boolean byActor = !bySubject && filter.actor() != null;
    range(parameters.flag(bySubject).text(filter.subject()), filter);
    range(parameters.flag(byActor).text(filter.actor()), filter);
    range(parameters.flag(!bySubject && !byActor), filter);
    parameters
        .text(filter.actor())
        .text(filter.actor())
        .text(filter.action())
        .text(filter.action())
        .integer(limit);
  }

  private static void range(Parameters parameters, AuditFilter filter) throws SQLException {
    parameters.id(filter.leastId()).id(filter.endId()).id(filter.beforeId()).integer(SCAN);
  }

  private static ScannedEntry seen(ResultSet row) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    return new ScannedEntry(
        id == null ? null : entry(row, id),
        row.getLong("scanned"),
        row.getObject("oldest", UUID.class));
  }

  private static AuditEntry entry(ResultSet row, UUID id) throws SQLException {
    Act act =
        new Act(
            row.getString("actor"),
            row.getString("token_id"),
            row.getString("address"),
            row.getString("reason"));
    return new AuditEntry(
        id,
        Rows.instant(row, "at"),
        act,
        row.getString("action"),
        row.getString("subject"),
        row.getLong("affected"),
        Changes.read(row.getString("changes")));
  }
}
