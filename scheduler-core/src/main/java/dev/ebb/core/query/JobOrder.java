package dev.ebb.core.query;

import java.util.Arrays;
import java.util.List;

/** An order of a list of jobs, served by an index. */
public enum JobOrder {
  NEWEST("-createdAt"),
  OLDEST("createdAt");

  private final String word;

  JobOrder(String word) {
    this.word = word;
  }

  /** The name in REST: the field, with a minus where the greatest comes first. */
  public String word() {
    return word;
  }

  /** The names of all. */
  public static List<String> words() {
    return Arrays.stream(values()).map(JobOrder::word).toList();
  }

  /** The order of a name that is among {@link #words}. */
  public static JobOrder of(String word) {
    return Arrays.stream(values())
        .filter(order -> order.word.equals(word))
        .findFirst()
        .orElseThrow();
  }
}
