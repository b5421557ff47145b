package dev.ebb.db.operation;

import dev.ebb.core.operation.JobAction;
import dev.ebb.db.action.ActedJob;
import dev.ebb.db.action.JobActions;
import dev.ebb.db.action.JobPlace;
import dev.ebb.db.action.JobPlaces;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueLock;
import dev.ebb.db.view.JobScan;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a step does to the jobs whose turn it is: of any queues, in one statement, and under the
 * locks of the queues where claims may meet it.
 */
final class StepBatch {
  // Nobody waits for a step for longer: claims of the queue do not start while it has their lock.
  private static final String SETTINGS =
      """
      select
        set_config('lock_timeout', '250ms', true),
        set_config('enable_seqscan', 'off', true),
        set_config('jit', 'off', true)
      """;

  private final Connection connection;
  private final OperationView operation;
  private final JobAction action;
  private final List<OperationItems.Result> results = new ArrayList<>();
  private final Set<String> arrivedIn = new HashSet<>();
  private boolean requestedCancels;

  StepBatch(Connection connection, OperationView operation) {
    this.connection = connection;
    this.operation = operation;
    this.action = operation.plan().action();
  }

  /** Bounds what the transaction waits for, and keeps its plans good. */
  static void limitWaits(Connection connection) throws SQLException {
    Statements.run(connection, SETTINGS, _ -> {});
  }

  /**
   * Acts on the jobs, and answers what was done; nothing to a job that somebody has locked, or
   * whose queue somebody has.
   *
   * @param warmed the queues whose warm-up has restarted, to which others are added
   */
  List<OperationItems.Result> act(List<JobScan.FoundJob> jobs, Set<String> warmed)
      throws SQLException {
    Set<String> open =
        jobs.stream()
            .map(JobScan.FoundJob::queue)
            .filter(queue -> !queue.isEmpty())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    Set<String> warming = lock(open, warmed);
    Set<UUID> left = in(open, jobs);
    for (ActedJob job : acted(left, open)) {
      results.add(
          new OperationItems.Result(job.id(), job.requested() ? "requested" : "done", null));
      left.remove(job.id());
    }
    warming.retainAll(arrivedIn);
    restartWarmUps(warming);
    warmed.addAll(warming);
    // With a queue they were live or dead when they were found.
    skip(left, operation.createdAt());
    skip(in(Set.of(""), jobs), null);
    return results;
  }

  /**
   * Takes the locks that the action needs: that of a queue with live jobs, and that of a limiter
   * whose warm-up it restarts. Leaves out the queues whose lock somebody has.
   *
   * @return the queues whose warm-up is to restart
   */
  private Set<String> lock(Set<String> queues, Set<String> warmed) throws SQLException {
    if (action.isOfLiveJobs()) {
      queues.retainAll(QueueLock.takeFree(connection, List.copyOf(queues)));
      return new HashSet<>();
    }
    if (!(action instanceof JobAction.Redrive redrive && redrive.warmUp())) {
      return new HashSet<>();
    }
    Set<String> limited = new LinkedHashSet<>(Limiters.limited(connection, queues));
    limited.removeAll(warmed);
    Set<String> free = new HashSet<>(QueueLock.takeFree(connection, List.copyOf(limited)));
    limited.removeAll(free);
    queues.removeAll(limited);
    return free;
  }

  private static Set<UUID> in(Set<String> queues, List<JobScan.FoundJob> jobs) {
    return jobs.stream()
        .filter(job -> queues.contains(job.queue()))
        .map(JobScan.FoundJob::id)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private List<ActedJob> acted(Set<UUID> ids, Set<String> queues) throws SQLException {
    if (ids.isEmpty()) {
      return List.of();
    }
    List<ActedJob> acted =
        JobActions.many(
            connection, action, List.copyOf(ids), List.copyOf(queues), operation.act().reason());
    for (ActedJob job : acted) {
      requestedCancels |= job.requested();
      if (action.makesDue()) {
        arrivedIn.add(job.queue());
      }
    }
    return acted;
  }

  private void restartWarmUps(Set<String> queues) throws SQLException {
    for (String queue : queues) {
      var _ = Limiters.restartWarmUp(connection, queue);
    }
    if (!queues.isEmpty()) {
      limitWaits(connection);
    }
  }

  /**
   * Notes the jobs that the action did not take, with the reason; not those that were locked.
   *
   * @param endedSince {@code null} for jobs that were neither live nor dead when they were found
   */
  private void skip(Set<UUID> ids, @Nullable Instant endedSince) throws SQLException {
    if (ids.isEmpty()) {
      return;
    }
    Map<UUID, JobPlace> places = JobPlaces.of(connection, List.copyOf(ids), endedSince);
    places.forEach((id, place) -> {
      if (endedSince == null || !place.fits(action)) {
        results.add(new OperationItems.Result(id, "skipped", place.word()));
      }
    });
  }

  /** What workers have to know of it. */
  CarriedStep carried() {
    return new CarriedStep(arrivedIn, requestedCancels);
  }
}
