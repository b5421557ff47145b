package dev.ebb.core.health;

import java.util.List;
import java.util.stream.Stream;

/** Judges what is known of a database, for pages, scripts and the doctor alike. */
public final class Checkup {
  private static final List<Check> CHECKS =
      Stream.of(
              SnapshotChecks.ALL,
              StorageChecks.ALL,
              DurabilityChecks.ALL,
              WorkChecks.ALL,
              ScheduleChecks.ALL)
          .flatMap(List::stream)
          .toList();

  private Checkup() {}

  /** What the checks find whose figures were asked for. */
  public static List<Finding> of(Figures figures) {
    return CHECKS.stream()
        .filter(check -> check.isFor(figures))
        .map(check -> check.of(figures))
        .toList();
  }
}
