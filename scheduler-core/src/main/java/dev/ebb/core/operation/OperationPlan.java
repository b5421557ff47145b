package dev.ebb.core.operation;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

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
 * @param pace {@code null} for as fast as it goes
 * @param stages how many jobs each stage takes before it is judged; the rest follows them
 * @param stopRatio of failed attempts beyond which it pauses; {@code null} for never
 * @param maxJobs how many of the jobs it touches at most; {@code null} for all
 * @param pausesAfter after how many of the first stages it pauses, so that somebody looks at them,
 *     0 to 10; 0 without stages
 */
public record OperationPlan(
    JobAction action,
    @Nullable JobFilter filter,
    List<UUID> ids,
    @Nullable Pace pace,
    List<Integer> stages,
    @Nullable Double stopRatio,
    @Nullable Integer maxJobs,
    int pausesAfter) {
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
    require(JobAction.OPERATIONS.contains(action.word()), "action", "is for one job alone");
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
    requireBetween(pausesAfter, 0, MOST_STAGES, "pauseAfterStages");
    filter = filter == null ? null : narrowed(filter, action);
    stopRatio = stopRatio == null && !stages.isEmpty() ? (Double) DEFAULT_RATIO : stopRatio;
  }

  /** One that covers the jobs of the filter, as fast as it goes. */
  public static OperationPlan of(JobAction action, JobFilter filter) {
    return new OperationPlan(action, filter, List.of(), null, List.of(), null, null, 0);
  }

  /** One that covers those jobs, as fast as it goes. */
  public static OperationPlan of(JobAction action, List<UUID> ids) {
    return new OperationPlan(action, null, ids, null, List.of(), null, null, 0);
  }

  private static void requireAttempts(
      JobAction action, List<Integer> stages, @Nullable Double stopRatio, int pausesAfter) {
    String rule = "is only for retry and redrive: no other action starts attempts";
    require(stages.isEmpty() || action.startsAttempts(), "stages", rule);
    require(stopRatio == null || action.startsAttempts(), "stopOnFailureRatio", rule);
    require(pausesAfter == 0 || action.startsAttempts(), "pauseAfterStages", rule);
    require(pausesAfter == 0 || !stages.isEmpty(), "pauseAfterStages", "must be 0 without stages");
  }

  /** In the phases that the action can be done in. */
  private static JobFilter narrowed(JobFilter filter, JobAction action) {
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
            action, filter.asOf(now), ids, pace, stages, stopRatio, maxJobs, pausesAfter);
  }

  /** Whether it is to hold jobs until a time that has come. */
  public boolean isHoldOver(Instant now) {
    return action instanceof JobAction.Hold(Instant until) && until != null && !until.isAfter(now);
  }
}
