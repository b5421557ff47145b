package dev.ebb.db.stats;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is counted, by its number in the database. */
public enum Counter {
  /** Jobs that were stored; duplicates and repetitions are none. */
  SUBMITTED(1),
  /** Attempts that were claimed. */
  STARTED(2),
  /** Jobs that completed. */
  COMPLETED(3),
  /** Attempts that failed, but for those that were throttled. */
  FAILED(4),
  /** Attempts that failed because the receiver throttled. */
  THROTTLED(5),
  /** Jobs that became dead letters. */
  DEAD(6),
  /** Live jobs that were cancelled, running or not. */
  CANCELLED(7),
  /** Dead letters that became jobs again. */
  REDRIVEN(8),
  /** Dead letters that were cancelled. */
  DISCARDED(9),
  /** Attempts that a drain gave back; the column keeps its older word. */
  GIVEN_BACK(10, "released", "givenBack"),
  /** Attempts whose handler was not ready. */
  SNOOZED(11);

  private final short number;
  private final String column;
  private final String word;

  Counter(int number) {
    this.number = (short) number;
    this.column = name().toLowerCase(Locale.ROOT);
    this.word = column;
  }

  Counter(int number, String column, String word) {
    this.number = (short) number;
    this.column = column;
    this.word = word;
  }

  /** What answers call it. */
  public String word() {
    return word;
  }

  short number() {
    return number;
  }

  /** The column that sums it up. */
  String column() {
    return column;
  }

  /** The columns of a table or its alias. */
  static String names(String table) {
    return Stream.of(values())
        .map(counter -> table + "." + counter.column())
        .collect(Collectors.joining(", "));
  }

  /** Of grouped rows that have the columns: their sums. */
  static String sums() {
    return Stream.of(values())
        .map(counter -> "sum(%1$s)::bigint as %1$s".formatted(counter.column()))
        .collect(Collectors.joining(", "));
  }

  /** Of grouped rows with a counter and a number: the sum for each counter, as its column. */
  static String columns() {
    return Stream.of(values())
        .map(counter ->
            "coalesce(sum(number) filter (where counter = %s), 0)::bigint as %s"
                .formatted(counter.number, counter.column()))
        .collect(Collectors.joining(",\n"));
  }
}
