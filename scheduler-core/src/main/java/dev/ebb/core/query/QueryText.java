package dev.ebb.core.query;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A filter as a query, in one form for each filter: what does not narrow it is left out, so that a
 * new field of filters leaves the text of the others alone.
 */
public final class QueryText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./@=+-]*");

  private final StringJoiner text = new StringJoiner(" ");

  private QueryText() {}

  /** The query that {@link JobQuery} reads as this filter; empty for every job. */
  public static String of(JobFilter filter) {
    QueryText query = new QueryText();
    query.phases(filter.phases());
    query.names("queue", filter.queues());
    query.names("kind", filter.kinds());
    query.texts("label:", filter.labels());
    query.add("subject:", filter.subject(), QueryText::quoted);
    query.add("destination:", filter.destination(), QueryText::quoted);
    query.texts("error:", filter.errors());
    query.add("group:", filter.group(), UUID::toString);
    query.add("key:", filter.uniqueKey(), QueryText::quoted);
    query.add("ordering:", filter.orderingKey(), QueryText::quoted);
    query.payload(filter.payload());
    query.attempts(filter.attempts());
    query.period("age", "created", filter.created());
    query.period("ended", "ended", filter.ended());
    query.due(filter.due());
    query.texts("", filter.words());
    return query.text.toString();
  }

  private <T> void add(String start, @Nullable T value, Function<T, String> shown) {
    if (value != null) {
      text.add(start + shown.apply(value));
    }
  }

  private void payload(@Nullable PayloadSearch payload) {
    if (payload != null) {
      add("payload:", payload.text(), QueryText::quoted);
      payload
          .fields()
          .forEach(
              (path, value) -> add(PayloadSearch.PREFIX + path + ":", value, QueryText::quoted));
    }
  }

  private void period(String age, String time, JobFilter.Period period) {
    add(age + ">=", period.leastAge(), Object::toString);
    add(age + "<=", period.mostAge(), Object::toString);
    add(time + ">=", period.from(), Object::toString);
    add(time + "<", period.before(), Object::toString);
  }

  private void due(JobFilter.Period due) {
    add("due<=", due.leastAge(), age -> age.negated().toString());
    add("due>=", due.mostAge(), age -> age.negated().toString());
    add("due>=", due.from(), Object::toString);
    add("due<", due.before(), Object::toString);
  }

  private void phases(Set<Phase> phases) {
    if (!phases.equals(EnumSet.allOf(Phase.class))) {
      text.add(words(phases).collect(Collectors.joining(",", "state:", "")));
    }
  }

  /** In one word for those of an available job, which other versions have more or fewer of. */
  private static Stream<String> words(Set<Phase> phases) {
    boolean available = phases.containsAll(Phase.WAITING);
    return Stream.concat(
        available ? Stream.of("available") : Stream.empty(),
        Arrays.stream(Phase.values())
            .filter(phases::contains)
            .filter(phase -> !available || !Phase.WAITING.contains(phase))
            .map(Phase::word));
  }

  /** Names need no quotes. */
  private void names(String field, Terms terms) {
    if (!terms.wanted().isEmpty()) {
      text.add(field + ":" + String.join(",", terms.wanted()));
    }
    if (!terms.unwanted().isEmpty()) {
      text.add("-" + field + ":" + String.join(",", terms.unwanted()));
    }
  }

  private void texts(String start, Terms terms) {
    boolean always = start.isEmpty();
    Stream<String> wanted = terms.wanted().stream().map(value -> start + shown(value, always));
    Stream<String> unwanted =
        terms.unwanted().stream().map(value -> "-" + start + shown(value, always));
    Stream.concat(wanted, unwanted).forEach(text::add);
  }

  private void attempts(JobFilter.Range attempts) {
    if (attempts.least() > 0) {
      text.add("attempts>" + (attempts.least() - 1));
    }
    if (attempts.most() < Integer.MAX_VALUE) {
      text.add("attempts<=" + attempts.most());
    }
  }

  private static String quoted(String value) {
    return shown(value, false);
  }

  private static String shown(String value, boolean inQuotes) {
    return !inQuotes && PLAIN.matcher(value).matches()
        ? value
        : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
