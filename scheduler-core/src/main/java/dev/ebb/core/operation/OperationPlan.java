package dev.ebb.core.operation;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.Priority;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.Phase;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an operation is asked to do.
 *
 * @param filter the jobs that it covers; {@code null} where ids name them
 * @param ids the jobs that it covers, 1 to 1,000; empty where a filter does
 * @param at of a reschedule, when the jobs run; of a hold, its end or {@code null} for none
 * @param warmUp whether a redrive restarts the warm-up of each queue, once
 * @param pace {@code null} for as fast as it goes
 * @param stages how many jobs each stage takes before it is judged; the rest follows them
 * @param stopRatio of failed attempts beyond which it pauses; {@code null} for never
 * @param maxJobs how many of the jobs it touches at most; {@code null} for all
 * @param priority of a set_priority; {@code null} for the others
 * @param pausesAfter after how many of the first stages it pauses, so that somebody looks at them,
 *     0 to 10; 0 without stages
 * @param resetAttempts of a retry or a redrive, whether the jobs' attempts count from 0 again
 */
public record OperationPlan(
    OperationAction action,
    @Nullable JobFilter filter,
    List<UUID> ids,
    @Nullable Instant at,
    boolean warmUp,
    @Nullable Pace pace,
    List<Integer> stages,
    @Nullable Double stopRatio,
    @Nullable Integer maxJobs,
    @Nullable Integer priority,
    int pausesAfter,
    boolean resetAttempts) {
  public static final int MOST_IDS = 1_000;

  /** The ratio of stages for which none was given. */
  public static final double DEFAULT_RATIO = 0.2;

  private static final int MOST_STAGES = 10;
  private static final int LARGEST_STAGE = 1_000_000;

  public OperationPlan {
    ids = List.copyOf(new LinkedHashSet<>(ids));
    stages = List.copyOf(stages);
    require(filter != null || !ids.isEmpty(), "ids", "must name a job");
    require(ids.size() <= MOST_IDS, "ids", "must be at most " + MOST_IDS);
    requireAt(action, at);
    requirePriority(action, priority);
    require(maxJobs == null || maxJobs > 0, "maxJobs", "must be at least 1");
    require(
        stages.size() <= MOST_STAGES
            && stages.stream().allMatch(size -> size >= 1 && size <= LARGEST_STAGE),
        "stages",
        "must be at most 10 numbers of jobs, each between 1 and 1000000");
    require(
        stopRatio == null || (stopRatio >= 0 && stopRatio <= 1),
        "stopOnFailureRatio",
        "must be between 0 and 1");
    requireAttempts(action, stages, stopRatio, pausesAfter);
    require(
        !resetAttempts || action.startsAttempts(),
        "params.resetAttempts",
        "is only for retry and redrive");
    require(
        pausesAfter >= 0 && pausesAfter <= MOST_STAGES,
        "pauseAfterStages",
        "must be between 0 and " + MOST_STAGES);
    filter = filter == null ? null : narrowed(filter, action);
    stopRatio = stopRatio == null && !stages.isEmpty() ? (Double) DEFAULT_RATIO : stopRatio;
  }

  /** One that pauses after no stage, and does with attempts what the action does by itself. */
  public OperationPlan(
      OperationAction action,
      @Nullable JobFilter filter,
      List<UUID> ids,
      @Nullable Instant at,
      boolean warmUp,
      @Nullable Pace pace,
      List<Integer> stages,
      @Nullable Double stopRatio,
      @Nullable Integer maxJobs,
      @Nullable Integer priority) {
    this(
        action,
        filter,
        ids,
        at,
        warmUp,
        pace,
        stages,
        stopRatio,
        maxJobs,
        priority,
        0,
        action.resetsAttempts());
  }

  private static void requireAt(OperationAction action, @Nullable Instant at) {
    boolean reschedules = action == OperationAction.RESCHEDULE;
    require(at != null || !reschedules, "params.runAt", "must be given");
    require(
        at == null || reschedules || action == OperationAction.HOLD,
        "params",
        "has a time only for reschedule and hold");
  }

  private static void requirePriority(OperationAction action, @Nullable Integer priority) {
    boolean sets = action == OperationAction.SET_PRIORITY;
    require(sets == (priority != null), "params.priority", "must be given only for set_priority");
    require(
        priority == null || Priority.isOne(priority),
        "params.priority",
        "must be between " + Priority.MIN + " and " + Priority.MAX);
  }

  private static void requireAttempts(
      OperationAction action, List<Integer> stages, @Nullable Double stopRatio, int pausesAfter) {
    String rule = "is only for retry and redrive: no other action starts attempts";
    require(stages.isEmpty() || action.startsAttempts(), "stages", rule);
    require(stopRatio == null || action.startsAttempts(), "stopOnFailureRatio", rule);
    require(pausesAfter == 0 || action.startsAttempts(), "pauseAfterStages", rule);
    require(pausesAfter == 0 || !stages.isEmpty(), "pauseAfterStages", "must be 0 without stages");
  }

  /** In the phases that the action can be done in. */
  private static JobFilter narrowed(JobFilter filter, OperationAction action) {
    Set<Phase> phases = EnumSet.copyOf(filter.phases());
    phases.retainAll(action.phases());
    require(
        !phases.isEmpty(),
        "filter",
        "matches no job: " + action.word() + " is for the states " + words(action.phases()));
    return filter.in(phases.toArray(Phase[]::new));
  }

  private static String words(Set<Phase> phases) {
    return String.join(", ", phases.stream().map(Phase::word).toList());
  }

  /** How many of so many jobs it touches at most. */
  public long bounded(long jobs) {
    return maxJobs == null ? jobs : Math.min(maxJobs, jobs);
  }

  /** The filter, where there is one. */
  public JobFilter requireFilter() {
    if (filter == null) {
      throw new IllegalStateException("ids name the jobs");
    }
    return filter;
  }

  /** The same with the filter as it is at that instant: jobs that come later are not covered. */
  public OperationPlan asOf(Instant now) {
    return filter == null
        ? this
        : new OperationPlan(
            action,
            filter.asOf(now),
            ids,
            at,
            warmUp,
            pace,
            stages,
            stopRatio,
            maxJobs,
            priority,
            pausesAfter,
            resetAttempts);
  }

  /** Whether it is to hold jobs until a time that has come. */
  public boolean isHoldOver(Instant now) {
    return action == OperationAction.HOLD && at != null && !at.isAfter(now);
  }
}
