package dev.ebb.core.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.Phase;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationPlanTest {
  private static final Instant NOON = Instant.parse("2027-01-31T12:00:00Z");

  private static final JobAction REDRIVE = new JobAction.Redrive(true, true);
  private static final JobAction RETRY = new JobAction.Retry(false);
  private static final JobAction PATCH =
      new JobAction.Patch(NewJob.builder("echo", "{}").maxAttempts(3).build(), 0, 2);

  private static OperationPlan plan(
      JobAction action, JobFilter filter, List<Integer> stages, @Nullable Double ratio) {
    return new OperationPlan(action, filter, List.of(), null, stages, ratio, null, 0);
  }

  static List<JobAction> actions() {
    return List.of(
        RETRY,
        REDRIVE,
        new JobAction.Cancel(),
        new JobAction.Discard(),
        new JobAction.Reschedule(NOON),
        new JobAction.Hold(null),
        new JobAction.Release(),
        new JobAction.Skip(),
        new JobAction.SetPriority(0));
  }

  @ParameterizedTest
  @MethodSource("actions")
  void an_action_covers_jobs_in_its_phases_alone(JobAction action) {
    OperationPlan plan = OperationPlan.of(action, JobFilter.ALL);

    assertThat(plan.requireFilter().phases()).isEqualTo(action.phases());
    assertThat(JobAction.OPERATIONS).contains(action.word());
  }

  @Test
  void every_action_but_a_patch_is_done_to_many() {
    assertThat(actions())
        .hasSameSizeAs(JobAction.OPERATIONS)
        .hasSize(JobAction.class.getPermittedSubclasses().length - 1);
    assertRefused("action", () -> OperationPlan.of(PATCH, List.of(new UUID(1, 2))));
  }

  @Test
  void a_filter_that_leaves_the_action_no_phase_is_refused() {
    JobFilter completed = JobFilter.ALL.in(Phase.COMPLETED);

    assertThatThrownBy(() -> OperationPlan.of(REDRIVE, completed))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("filter matches no job: redrive is for the states dead_letter");
  }

  @Test
  void stages_have_a_ratio() {
    assertThat(plan(REDRIVE, JobFilter.ALL, List.of(1, 10), null).stopRatio()).isEqualTo(0.2);
    assertThat(plan(REDRIVE, JobFilter.ALL, List.of(), null).stopRatio()).isNull();
  }

  @Test
  void what_the_action_has_no_use_for_is_refused() {
    JobAction hold = new JobAction.Hold(null);
    JobFilter all = JobFilter.ALL;
    assertRefused("stages", () -> plan(hold, all, List.of(1), null));
    assertRefused("stopOnFailureRatio", () -> plan(hold, all, List.of(), 0.5));
    assertRefused("stopOnFailureRatio", () -> plan(REDRIVE, all, List.of(), 1.1));
    assertRefused("stages", () -> plan(RETRY, all, List.of(0), null));
    assertRefused("ids", () -> OperationPlan.of(RETRY, List.of()));
    assertRefused("priority", () -> new JobAction.SetPriority(10));
  }

  @Test
  void a_patch_leaves_an_attempt_more_than_were_made() {
    NewJob fields = NewJob.builder("echo", "{}").maxAttempts(2).build();

    assertThat(new JobAction.Patch(fields, 0, 1).attempts()).isOne();
    assertRefused("maxAttempts", () -> new JobAction.Patch(fields, 0, 2));
  }

  private static void assertRefused(String field, Runnable plan) {
    assertThatThrownBy(plan::run)
        .isInstanceOfSatisfying(
            InvalidInput.class, refused -> assertThat(refused.field()).isEqualTo(field));
  }

  @Test
  void an_id_counts_once() {
    UUID id = new UUID(1, 2);

    assertThat(OperationPlan.of(RETRY, List.of(id, id)).ids()).containsExactly(id);
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
