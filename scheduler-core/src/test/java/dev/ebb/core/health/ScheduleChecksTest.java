package dev.ebb.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.health.SchemaHealth.CheckIn;
import dev.ebb.core.health.SchemaHealth.Late;
import dev.ebb.core.health.SchemaHealth.Schedules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleChecksTest {
  private static final CheckIn FIRES = new CheckIn("a", Duration.ofSeconds(1), true);
  private static final Schedules WELL = new Schedules(true, null, 0, null, List.of(FIRES));

  private static Finding find(String code, Part<Schedules> schedules) {
    return ScheduleChecks.all(schedules).stream()
        .filter(one -> one.code().equals(code))
        .findAny()
        .orElseThrow();
  }

  private static Finding find(String code, Schedules schedules) {
    return find(code, Part.of(schedules));
  }

  private static Schedules with(CheckIn... checkIns) {
    return new Schedules(true, null, 0, null, List.of(checkIns));
  }

  @Test
  void schedules_that_fire_in_time_are_well_and_those_that_cannot_be_read_are_unknown() {
    assertThat(ScheduleChecks.all(Part.of(WELL)))
        .hasSize(4)
        .allSatisfy(one -> {
          assertThat(one.verdict()).isEqualTo(Verdict.OK);
          assertThat(one.advice()).isEmpty();
        });
    assertThat(ScheduleChecks.all(Part.unread("it is locked")))
        .hasSize(4)
        .allSatisfy(one -> assertThat(one.verdict()).isEqualTo(Verdict.UNKNOWN));
  }

  @ParameterizedTest
  @CsvSource({"PT9S, OK", "PT10S, WARN", "PT59S, WARN", "PT1M, BAD"})
  void a_schedule_that_is_late_warns_and_then_is_bad(Duration age, Verdict verdict) {
    Late late = new Late("nightly", age);
    Finding found = find("late_schedules", new Schedules(true, late, 0, null, List.of(FIRES)));

    assertThat(found.verdict()).isEqualTo(verdict);
    assertThat(found.summary().contains("nightly")).isEqualTo(verdict != Verdict.OK);
  }

  @Test
  void schedules_without_a_node_that_checks_in_are_bad() {
    CheckIn gone = new CheckIn("gone", Duration.ofSeconds(15), false);

    assertThat(find("firing_nodes", with(gone)).verdict()).isEqualTo(Verdict.BAD);
    assertThat(find("firing_nodes", with(gone)).advice()).contains("EBB_SCHEDULER");
    assertThat(find("firing_nodes", new Schedules(false, null, 0, null, List.of())).verdict())
        .isEqualTo(Verdict.OK);
    assertThat(find("firing_nodes", with(gone, FIRES)).summary())
        .isEqualTo("One node fires schedules.");
  }

  @Test
  void triggers_that_are_halted_or_missing_warn_while_a_node_fires() {
    Instant at = Instant.parse("2026-01-01T00:00:00Z");
    Schedules halted = new Schedules(true, null, 2, null, List.of(FIRES));
    Schedules missing = new Schedules(true, null, 0, at, List.of(FIRES));
    Schedules unserved = new Schedules(true, null, 2, at, List.of());

    assertThat(find("quartz_triggers", halted).verdict()).isEqualTo(Verdict.WARN);
    assertThat(find("quartz_triggers", halted).summary()).startsWith("2 of Quartz's triggers");
    assertThat(find("quartz_triggers", missing).verdict()).isEqualTo(Verdict.WARN);
    assertThat(find("quartz_triggers", missing).summary()).contains("2026-01-01T00:00:00Z");
    assertThat(find("quartz_triggers", unserved).verdict()).isEqualTo(Verdict.OK);
  }

  @Test
  void a_clock_that_is_ahead_or_behind_shows_in_the_check_ins() {
    CheckIn ahead = new CheckIn("b", Duration.ofSeconds(-8), false);
    CheckIn behind = new CheckIn("c", Duration.ofMinutes(2), true);
    CheckIn dead = new CheckIn("d", Duration.ofMinutes(2), false);

    assertThat(find("quartz_clocks", with(FIRES, ahead)).verdict()).isEqualTo(Verdict.WARN);
    assertThat(find("quartz_clocks", with(FIRES, ahead)).summary())
        .isEqualTo("Node b checks in with Quartz by a clock that is 8 s ahead.");
    assertThat(find("quartz_clocks", with(FIRES, behind)).verdict()).isEqualTo(Verdict.BAD);
    assertThat(find("quartz_clocks", with(FIRES, behind)).summary())
        .isEqualTo("Node c lives, and its last check-in with Quartz is 2 min old.");
    assertThat(find("quartz_clocks", with(FIRES, dead)).verdict()).isEqualTo(Verdict.OK);
    assertThat(find("quartz_clocks", with(behind)).verdict()).isEqualTo(Verdict.OK);
  }
}
