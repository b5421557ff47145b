package dev.ebb.core.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The rule for a fire while the schedule's last job has not ended. */
public enum Overlap {
  /** It makes a job. */
  ALLOW,
  /** It makes none. */
  SKIP,
  /** It makes one once the last job has ended. */
  QUEUE;

  /** The name in bodies, answers and SQL. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The choice of that name. */
  public static Optional<Overlap> of(String word) {
    return Arrays.stream(values()).filter(overlap -> overlap.word().equals(word)).findFirst();
  }

  /** All names. */
  public static List<String> words() {
    return Arrays.stream(values()).map(Overlap::word).toList();
  }
}
