package dev.ebb.core.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.Phase;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

class OperationPlanTest {
  private static final Instant NOON = Instant.parse("2027-01-31T12:00:00Z");

  private static OperationPlan plan(
      OperationAction action,
      JobFilter filter,
      @Nullable Instant at,
      List<Integer> stages,
      @Nullable Double ratio) {
    Integer priority = action == OperationAction.SET_PRIORITY ? 1 : null;
    return new OperationPlan(
        action, filter, List.of(), at, true, null, stages, ratio, null, priority);
  }

  @ParameterizedTest
  @EnumSource(OperationAction.class)
  void an_action_covers_jobs_in_its_phases_alone(OperationAction action) {
    Instant at = action == OperationAction.RESCHEDULE ? NOON : null;

    OperationPlan plan = plan(action, JobFilter.ALL, at, List.of(), null);

    assertThat(plan.requireFilter().phases()).isEqualTo(action.phases());
    assertThat(OperationAction.of(action.word())).contains(action);
  }

  @Test
  void a_filter_that_leaves_the_action_no_phase_is_refused() {
    JobFilter completed = JobFilter.ALL.in(Phase.COMPLETED);

    assertThatThrownBy(() -> plan(OperationAction.REDRIVE, completed, null, List.of(), null))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("filter matches no job: redrive is for the states dead_letter");
  }

  @Test
  void stages_have_a_ratio() {
    assertThat(plan(OperationAction.REDRIVE, JobFilter.ALL, null, List.of(1, 10), null).stopRatio())
        .isEqualTo(0.2);
    assertThat(plan(OperationAction.REDRIVE, JobFilter.ALL, null, List.of(), null).stopRatio())
        .isNull();
  }

  @Test
  void what_the_action_has_no_use_for_is_refused() {
    assertRefused(
        "stages", () -> plan(OperationAction.HOLD, JobFilter.ALL, null, List.of(1), null));
    assertRefused(
        "stopOnFailureRatio",
        () -> plan(OperationAction.CANCEL, JobFilter.ALL, null, List.of(), 0.5));
    assertRefused(
        "stopOnFailureRatio",
        () -> plan(OperationAction.REDRIVE, JobFilter.ALL, null, List.of(), 1.1));
    assertRefused(
        "stages", () -> plan(OperationAction.RETRY, JobFilter.ALL, null, List.of(0), null));
    assertRefused(
        "params", () -> plan(OperationAction.RETRY, JobFilter.ALL, NOON, List.of(), null));
    assertRefused(
        "params.runAt",
        () -> plan(OperationAction.RESCHEDULE, JobFilter.ALL, null, List.of(), null));
    assertRefused(
        "ids",
        () ->
            new OperationPlan(
                OperationAction.RETRY,
                null,
                List.of(),
                null,
                true,
                null,
                List.of(),
                null,
                null,
                null));
  }

  @ParameterizedTest
  @EnumSource(
      value = OperationAction.class,
      mode = Mode.EXCLUDE,
      names = {"RETRY", "REDRIVE"})
  void only_what_starts_attempts_resets_them(OperationAction action) {
    Instant at = action == OperationAction.RESCHEDULE ? NOON : null;
    Integer priority = action == OperationAction.SET_PRIORITY ? 1 : null;
    List<UUID> ids = List.of(new UUID(1, 2));

    assertRefused(
        "params.resetAttempts",
        () ->
            new OperationPlan(
                action, null, ids, at, true, null, List.of(), null, null, priority, 0, true));
  }

  private static void assertRefused(String field, Runnable plan) {
    assertThatThrownBy(plan::run)
        .isInstanceOfSatisfying(
            InvalidInput.class, refused -> assertThat(refused.field()).isEqualTo(field));
  }

  @Test
  void an_id_counts_once() {
    UUID id = new UUID(1, 2);

    assertThat(
            new OperationPlan(
                    OperationAction.RETRY,
                    null,
                    List.of(id, id),
                    null,
                    true,
                    null,
                    List.of(),
                    null,
                    null,
                    null)
                .ids())
        .containsExactly(id);
  }

  @ParameterizedTest
  @CsvSource({"50/s, 50", "30/min, 0.5", "3600/h, 1", "0.5/s, 0.5"})
  void a_pace_is_read(String text, double perSecond) {
    assertThat(Pace.parse(text).perSecond()).isEqualTo(perSecond);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "50", "0/s", "-1/s", "50/d", "1e3/s", "10001/s", "50 /s", "1/h/s"})
  void another_pace_is_refused(String text) {
    assertThatThrownBy(() -> Pace.parse(text))
        .isInstanceOfSatisfying(
            InvalidInput.class, refused -> assertThat(refused.field()).isEqualTo("rate"));
  }

  @Test
  void a_pace_owes_no_more_than_a_second() {
    Pace pace = new Pace(50);

    assertThat(pace.permits(NOON.plusMillis(1), NOON, 500)).isZero();
    assertThat(pace.permits(NOON, NOON, 500)).isEqualTo(1);
    assertThat(pace.permits(NOON.minusMillis(100), NOON, 500)).isEqualTo(6);
    assertThat(pace.permits(NOON.minusSeconds(60), NOON, 500)).isEqualTo(51);
    assertThat(pace.permits(NOON.minusSeconds(60), NOON, 20)).isEqualTo(20);
    assertThat(pace.next(NOON, NOON, 5)).isEqualTo(NOON.plusMillis(100));
    assertThat(pace.next(NOON.minusSeconds(60), NOON, 51)).isEqualTo(NOON.plusMillis(20));
  }

  @Test
  void the_pace_holds_over_any_time() {
    Pace pace = new Pace(50);
    Instant next = NOON;
    int taken = 0;
    for (int millis = 0; millis <= 10_000; millis += 37) {
      Instant now = NOON.plusMillis(millis);
      int permits = pace.permits(next, now, 500);
      next = pace.next(next, now, permits);
      taken += permits;
    }

    assertThat(taken).isBetween(495, 501);
  }

  @Test
  void a_stage_is_judged_by_all_its_jobs_and_the_rest_by_those_that_ended() {
    assertThat(new Stage(1, 10, 10, 3, 3).failsBeyond(0.2)).isTrue();
    assertThat(new Stage(1, 10, 10, 2, 2).failsBeyond(0.2)).isFalse();
    assertThat(new Stage(1, 1, 1, 1, 1).failsBeyond(1)).isFalse();
    assertThat(new Stage(3, null, 5_000, 9, 9).failsBeyond(0.2)).isFalse();
    assertThat(new Stage(3, null, 5_000, 10, 3).failsBeyond(0.2)).isTrue();
    assertThat(Stage.of(List.of(1, 10), 2, 4, 0, 0).left()).isEqualTo(6);
    assertThat(Stage.of(List.of(1, 10), 3, 4, 0, 0).isFull()).isFalse();
  }
}
