package dev.ebb.core.health;

import static dev.ebb.core.health.Figure.CHECK_INS;
import static dev.ebb.core.health.Figure.SCHEDULES;
import static dev.ebb.core.health.Theme.WORK;

import dev.ebb.core.Moment;
import dev.ebb.core.health.Figure.CheckIn;
import dev.ebb.core.health.Figure.Schedules;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The checks of whether schedules fire, and whether Quartz's tables and clocks let them. */
final class ScheduleChecks {
  /** Nodes check in every two seconds, and Quartz gives up one that is ten seconds late. */
  private static final Duration GONE = Duration.ofSeconds(15);

  private static final Limit LATE = Limit.seconds(Duration.ofSeconds(10), Duration.ofMinutes(1));
  private static final Limit CHECK_IN = Limit.seconds(Duration.ofSeconds(5), Duration.ofMinutes(1));

  private static final List<Figure<?>> BOTH = List.of(SCHEDULES, CHECK_INS);

  static final List<Check> ALL =
      List.of(
          Check.of(WORK, "late_schedules", SCHEDULES, ScheduleChecks::late)
              .rule(LATE.rule() + " Paused schedules do not count."),
          Check.of(WORK, "firing_nodes", BOTH, ScheduleChecks::nodes)
              .rule(
                  "Bad if schedules older than 10 s wait, no node checks in with Quartz, and the"
                      + " start is not paused."),
          Check.of(WORK, "quartz_triggers", BOTH, ScheduleChecks::triggers)
              .rule(
                  "Warns if a trigger is halted, or has been missing for 10 s, while a node"
                      + " fires."),
          Check.of(WORK, "quartz_clocks", CHECK_INS, ScheduleChecks::clocks)
              .rule(CHECK_IN.rule() + " Ahead or behind alike, of nodes that live."));

  private ScheduleChecks() {}

  private static boolean fires(CheckIn checkIn) {
    return checkIn.age().compareTo(GONE) < 0;
  }

  private static Finding late(Check check, Schedules schedules) {
    Duration lateBy = schedules.lateBy();
    Duration age = lateBy == null ? Duration.ZERO : lateBy;
    return check.by(
        LATE,
        age,
        LATE.of(age) == Verdict.OK
            ? "No schedule is late."
            : "Schedule %s should have fired %s ago."
                .formatted(schedules.late(), Plain.length(age)),
        "See whether a node fires (firing_nodes), and what the workers' logs say of the firer. What"
            + " it missed follows its misfire rule.");
  }

  private static Finding nodes(Check check, Figures figures) {
    int firing = (int) figures.get(CHECK_INS).stream().filter(ScheduleChecks::fires).count();
    if (firing == 0 && figures.get(SCHEDULES).awaited()) {
      return check.bad(
          "Schedules wait, and no node fires them.",
          "Start a worker, and not with EBB_SCHEDULER=off.");
    }
    return check.ok(
        switch (firing) {
          case 0 -> "No schedule waits.";
          case 1 -> "One node fires schedules.";
          default -> Plain.number(firing) + " nodes fire schedules.";
        });
  }

  private static Finding triggers(Check check, Figures figures) {
    Schedules schedules = figures.get(SCHEDULES);
    boolean halted = schedules.halted() > 0;
    if (figures.get(CHECK_INS).stream().noneMatch(ScheduleChecks::fires)
        || (!halted && schedules.missing() == null)) {
      return check.ok("Quartz's triggers follow the schedules.");
    }
    return check.warn(
        halted
            ? Plain.number(schedules.halted()) + " of Quartz's triggers are halted."
            : "Quartz has no trigger for the fire at %s."
                .formatted(Moment.words(schedules.missing())),
        "The nodes mend this each second: see what their logs say of the reconciler. Fires come a"
            + " second or two late, and none is lost.",
        "select * from ebb.qrtz_triggers order by next_fire_time limit 20;");
  }

  // Where nobody fires, an old check-in is what the last one left behind.
  private static Finding clocks(Check check, List<CheckIn> checkIns) {
    boolean served = checkIns.stream().anyMatch(ScheduleChecks::fires);
    Optional<CheckIn> worst =
        checkIns.stream()
            .filter(one -> (served && one.lives()) || fires(one))
            .max(Comparator.comparing((CheckIn one) -> one.age().abs()));
    Duration apart = worst.map(one -> one.age().abs()).orElse(Duration.ZERO);
    return check.by(
        CHECK_IN,
        apart,
        worst
            .filter(_ -> CHECK_IN.of(apart) != Verdict.OK)
            .map(ScheduleChecks::apart)
            .orElse("The nodes that fire check in with Quartz in time."),
        "Set its clock by NTP, and see its log. Quartz believes a node to be dead whose check-ins"
            + " are late, so that others look in its place; no fire comes twice.");
  }

  private static String apart(CheckIn one) {
    return (one.age().isNegative()
            ? "Node %s checks in with Quartz by a clock that is %s ahead."
            : "Node %s lives, and its last check-in with Quartz is %s old.")
        .formatted(one.node(), Plain.length(one.age()));
  }
}
