package dev.ebb.core.health;

import static dev.ebb.core.health.Theme.WORK;

import dev.ebb.core.Moment;
import dev.ebb.core.health.SchemaHealth.CheckIn;
import dev.ebb.core.health.SchemaHealth.Late;
import dev.ebb.core.health.SchemaHealth.Schedules;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Judges whether schedules fire, and whether Quartz's tables and clocks let them. */
final class ScheduleChecks {
  /** Nodes check in every two seconds, and Quartz gives up one that is ten seconds late. */
  private static final Duration GONE = Duration.ofSeconds(15);

  private static final Limit LATE = Limit.seconds(Duration.ofSeconds(10), Duration.ofMinutes(1));
  private static final Limit CHECK_IN = Limit.seconds(Duration.ofSeconds(5), Duration.ofMinutes(1));

  private ScheduleChecks() {}

  static List<Finding> all(Part<Schedules> schedules) {
    return List.of(
        schedules.judged("late_schedules", WORK, "The schedules", ScheduleChecks::late),
        schedules.judged("firing_nodes", WORK, "The nodes that fire", ScheduleChecks::nodes),
        schedules.judged("quartz_triggers", WORK, "Quartz's triggers", ScheduleChecks::triggers),
        schedules.judged("quartz_clocks", WORK, "Quartz's check-ins", ScheduleChecks::clocks));
  }

  private static Finding late(Schedules schedules) {
    Late late = schedules.late();
    Duration age = late == null ? Duration.ZERO : late.age();
    Verdict verdict = LATE.of(age);
    return Finding.of(
            "late_schedules",
            WORK,
            verdict,
            late == null || verdict == Verdict.OK
                ? "No schedule is late."
                : "Schedule %s should have fired %s ago."
                    .formatted(late.schedule(), Plain.length(age)),
            LATE.rule() + " Paused schedules do not count.")
        .measured(LATE, age)
        .mend(
            "See whether a node fires (firing_nodes), and what the workers' logs say of the firer."
                + " What it missed follows its misfire rule.");
  }

  private static Finding nodes(Schedules schedules) {
    long firing = schedules.checkIns().stream().filter(ScheduleChecks::fires).count();
    boolean wanted = schedules.awaited() && firing == 0;
    return Finding.of(
            "firing_nodes",
            WORK,
            wanted ? Verdict.BAD : Verdict.OK,
            switch ((int) firing) {
              case 0 -> wanted ? "Schedules wait, and no node fires them." : "No schedule waits.";
              case 1 -> "One node fires schedules.";
              default -> Plain.number(firing) + " nodes fire schedules.";
            },
            "Bad if schedules wait, and no node checks in with Quartz.")
        .mend("Start a worker, and not with EBB_SCHEDULER=off.");
  }

  private static boolean fires(CheckIn checkIn) {
    return checkIn.age().compareTo(GONE) < 0;
  }

  private static Finding triggers(Schedules schedules) {
    boolean served = schedules.checkIns().stream().anyMatch(ScheduleChecks::fires);
    boolean halted = served && schedules.halted() > 0;
    boolean missing = served && schedules.missing() != null;
    return Finding.of(
            "quartz_triggers",
            WORK,
            halted || missing ? Verdict.WARN : Verdict.OK,
            halted
                ? Plain.number(schedules.halted()) + " of Quartz's triggers are halted."
                : missing
                    ? "Quartz has no trigger for the fire at %s."
                        .formatted(Moment.words(schedules.missing()))
                    : "Quartz's triggers follow the schedules.",
            "Warns if a trigger is halted, or has been missing for 10 s, while a node fires.")
        .mend(
            "The nodes mend this each second: see what their logs say of the reconciler. Fires"
                + " come a second or two late, and none is lost.",
            "select * from ebb.qrtz_triggers order by next_fire_time limit 20;");
  }

  // Where nobody fires, an old check-in is what the last one left behind.
  private static Finding clocks(Schedules schedules) {
    boolean served = schedules.checkIns().stream().anyMatch(ScheduleChecks::fires);
    Optional<CheckIn> worst =
        schedules.checkIns().stream()
            .filter(one -> (served && one.lives()) || fires(one))
            .max(Comparator.comparing((CheckIn one) -> one.age().abs()));
    Duration apart = worst.map(one -> one.age().abs()).orElse(Duration.ZERO);
    Verdict verdict = CHECK_IN.of(apart);
    return Finding.of(
            "quartz_clocks",
            WORK,
            verdict,
            verdict == Verdict.OK
                ? "The nodes that fire check in with Quartz in time."
                : worst.map(ScheduleChecks::apart).orElseThrow(),
            CHECK_IN.rule() + " Ahead or behind alike, of nodes that live.")
        .measured(CHECK_IN, apart)
        .mend(
            "Set its clock by NTP, and see its log. Quartz believes a node to be dead whose"
                + " check-ins are late, so that others look in its place; no fire comes twice.");
  }

  private static String apart(CheckIn one) {
    return one.age().isNegative()
        ? "Node %s checks in with Quartz by a clock that is %s ahead."
            .formatted(one.node(), Plain.length(one.age()))
        : "Node %s lives, and its last check-in with Quartz is %s old."
            .formatted(one.node(), Plain.length(one.age()));
  }
}
