package dev.ebb.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.health.Figure.CheckIn;
import dev.ebb.core.health.Figure.Schedules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleChecksTest {
  private static final CheckIn FIRES = new CheckIn("a", Duration.ofSeconds(1), true);
  private static final Schedules WELL = new Schedules(true, null, null, 0, null);

  private static Finding find(String code, Schedules schedules, CheckIn... checkIns) {
    return Checkup.of(figures(schedules, checkIns)).stream()
        .filter(one -> one.code().equals(code))
        .findAny()
        .orElseThrow();
  }

  private static Finding find(String code, CheckIn... checkIns) {
    return find(code, WELL, checkIns);
  }

  private static Figures figures(Schedules schedules, CheckIn... checkIns) {
    return Figures.NONE.with(Figure.SCHEDULES, schedules).with(Figure.CHECK_INS, List.of(checkIns));
  }

  @Test
  void schedules_that_fire_in_time_are_well_and_those_that_cannot_be_read_are_unknown() {
    assertThat(Checkup.of(figures(WELL, FIRES)))
        .hasSize(4)
        .allSatisfy(one -> {
          assertThat(one.verdict()).isEqualTo(Verdict.OK);
          assertThat(one.advice()).isEmpty();
        });
    assertThat(
            Checkup.of(
                Figures.NONE
                    .without(Figure.SCHEDULES, "it is locked")
                    .without(Figure.CHECK_INS, "it is locked")))
        .hasSize(4)
        .allSatisfy(one -> assertThat(one.verdict()).isEqualTo(Verdict.UNKNOWN));
  }

  @ParameterizedTest
  @CsvSource({"PT9S, OK", "PT10S, WARN", "PT59S, WARN", "PT1M, BAD"})
  void a_schedule_that_is_late_warns_and_then_is_bad(Duration age, Verdict verdict) {
    Finding found = find("late_schedules", new Schedules(true, "nightly", age, 0, null), FIRES);

    assertThat(found.verdict()).isEqualTo(verdict);
    assertThat(found.summary().contains("nightly")).isEqualTo(verdict != Verdict.OK);
  }

  @Test
  void schedules_without_a_node_that_checks_in_are_bad() {
    CheckIn gone = new CheckIn("gone", Duration.ofSeconds(15), false);

    assertThat(find("firing_nodes", gone).verdict()).isEqualTo(Verdict.BAD);
    assertThat(find("firing_nodes", gone).advice()).contains("EBB_SCHEDULER");
    assertThat(find("firing_nodes", new Schedules(false, null, null, 0, null)).verdict())
        .isEqualTo(Verdict.OK);
    assertThat(find("firing_nodes", gone, FIRES).summary()).isEqualTo("One node fires schedules.");
  }

  @Test
  void triggers_that_are_halted_or_missing_warn_while_a_node_fires() {
    Instant at = Instant.parse("2026-01-01T00:00:00Z");
    Schedules halted = new Schedules(true, null, null, 2, null);
    Schedules missing = new Schedules(true, null, null, 0, at);
    Schedules both = new Schedules(true, null, null, 2, at);

    assertThat(find("quartz_triggers", halted, FIRES).verdict()).isEqualTo(Verdict.WARN);
    assertThat(find("quartz_triggers", halted, FIRES).summary())
        .startsWith("2 of Quartz's triggers");
    assertThat(find("quartz_triggers", missing, FIRES).verdict()).isEqualTo(Verdict.WARN);
    assertThat(find("quartz_triggers", missing, FIRES).summary()).contains("2026-01-01T00:00:00Z");
    assertThat(find("quartz_triggers", both).verdict()).isEqualTo(Verdict.OK);
  }

  @Test
  void a_clock_that_is_ahead_or_behind_shows_in_the_check_ins() {
    CheckIn ahead = new CheckIn("b", Duration.ofSeconds(-8), false);
    CheckIn behind = new CheckIn("c", Duration.ofMinutes(2), true);
    CheckIn dead = new CheckIn("d", Duration.ofMinutes(2), false);

    assertThat(find("quartz_clocks", FIRES, ahead).verdict()).isEqualTo(Verdict.WARN);
    assertThat(find("quartz_clocks", FIRES, ahead).summary())
        .isEqualTo("Node b checks in with Quartz by a clock that is 8 s ahead.");
    assertThat(find("quartz_clocks", FIRES, behind).verdict()).isEqualTo(Verdict.BAD);
    assertThat(find("quartz_clocks", FIRES, behind).summary())
        .isEqualTo("Node c lives, and its last check-in with Quartz is 2 min old.");
    assertThat(find("quartz_clocks", FIRES, dead).verdict()).isEqualTo(Verdict.OK);
    assertThat(find("quartz_clocks", behind).verdict()).isEqualTo(Verdict.OK);
  }
}
