package dev.ebb.api.operations;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.IdempotencyKeys;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.OneAtATime;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.JobCount;
import dev.ebb.contract.OperationPreview;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.operation.Matched;
import dev.ebb.db.operation.OperationView;
import dev.ebb.db.operation.Operations;
import dev.ebb.db.operation.StartAnswer;
import dev.ebb.db.view.FailureCount;
import dev.ebb.db.view.JobMatches;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.view.JobView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** Starts operations, whatever asked for them, and tells beforehand what one would cover. */
public final class OperationStarts {
  private static final int SAMPLES = 10;

  private final Operations operations;
  private final JobReads reads;
  private final Notifier notifier;
  private final Counter replayed;
  private final InstantSource clock = InstantSource.system();
  private final OneAtATime counts = new OneAtATime("counts of operations", 4);

  OperationStarts(Operations operations, JobReads reads, Notifier notifier, MeterRegistry meters) {
    this.operations = operations;
    this.reads = reads;
    this.notifier = notifier;
    this.replayed =
        Counter.builder("ebb.operations.replayed")
            .description("Starts of operations answered again under their Idempotency-Key.")
            .register(meters);
  }

  /** What the operation would cover. */
  OperationPreview look(OperationRequest asked) throws Exception {
    OperationPreview found = counts.run(() -> preview(asked.plan()));
    requireExpected(asked, new Matched(found.matched(), found.exact()));
    return found;
  }

  /** What the dead letters that it would cover died of. */
  List<FailureCount> failures(OperationRequest asked) throws Exception {
    return counts.run(() -> reads.failures(asked.plan().requireFilter()));
  }

  /**
   * Starts the operation, unless an earlier request with the same key did.
   *
   * @param read what the body asks for; not called for a key that is known
   */
  Answer start(HttpServletRequest request, JsonObject body, Callable<OperationRequest> read)
      throws Exception {
    IdempotencyKey key = IdempotencyKeys.of(request, body);
    // Before the rest is judged: the jobs and the clock are no longer those of the first request.
    Optional<StartAnswer> known = known(key);
    StartAnswer answer = known.isPresent() ? known.get() : started(request, body, read, key);
    notifier.operationStarted();
    return shown(answer, Caller.of(request));
  }

  private Optional<StartAnswer> known(@Nullable IdempotencyKey key) throws SQLException {
    return key == null ? Optional.empty() : operations.known(key);
  }

  private StartAnswer started(
      HttpServletRequest request,
      JsonObject body,
      Callable<OperationRequest> read,
      @Nullable IdempotencyKey key)
      throws Exception {
    OperationRequest asked = read.call();
    Act act = Caller.of(request).act(request, body);
    OperationPlan plan = asked.plan();
    Matched matched = counts.run(() -> matched(plan));
    try {
      requireExpected(asked, matched);
      return key == null
          ? new StartAnswer.Started(operations.start(plan, matched, act), false)
          : operations.start(plan, matched, act, key);
    } catch (InvalidInput invalid) {
      throw body.refused(invalid);
    } catch (Refusal differs) {
      // The operation of a first request, sent a moment ago, may have changed the jobs since.
      return known(key).orElseThrow(() -> differs);
    }
  }

  private Answer shown(StartAnswer answer, Caller caller) {
    return switch (answer) {
      case StartAnswer.Started started -> shown(started, caller);
      case StartAnswer.InFlight() -> throw IdempotencyKeys.inFlight();
      case StartAnswer.KeyReused(Instant firstUsedAt, UUID operation) ->
          throw IdempotencyKeys.reused(firstUsedAt, OperationIds.path(operation));
    };
  }

  private Answer shown(StartAnswer.Started started, Caller caller) {
    if (started.replayed()) {
      replayed.increment();
    }
    OperationView operation = started.operation();
    return IdempotencyKeys.told(
        Answer.of(HttpStatus.ACCEPTED, OperationResource.of(operation, caller))
            .at(OperationIds.path(operation.id())),
        started.replayed());
  }

  private static void requireExpected(OperationRequest asked, Matched matched) {
    if (!asked.isAsExpected(matched.jobs(), matched.exact())) {
      throw Refusal.of(
          ProblemCode.COUNT_DIFFERS,
          "The operation covers %s%s jobs, but %s were expected."
              .formatted(matched.exact() ? "" : "about ", matched.jobs(), asked.expectedCount()));
    }
  }

  private Matched matched(OperationPlan plan) throws SQLException {
    if (plan.filter() == null) {
      return new Matched(operations.fitting(plan).size(), true);
    }
    JobCount count = reads.countMany(plan.requireFilter());
    return new Matched(count.count(), count.exact());
  }

  private OperationPreview preview(OperationPlan plan) throws SQLException {
    if (plan.filter() == null) {
      return previewOfIds(plan);
    }
    JobMatches matches = reads.matches(plan.requireFilter(), SAMPLES);
    return new OperationPreview(
        matches.count().count(),
        matches.count().exact(),
        plan.maxJobs(),
        matches.byQueue(),
        JobAnswers.samples(matches.sample(), clock.instant()));
  }

  private OperationPreview previewOfIds(OperationPlan plan) throws SQLException {
    Map<UUID, String> queues = operations.fitting(plan);
    Map<String, Long> byQueue = new TreeMap<>();
    queues.values().forEach(queue -> byQueue.merge(queue, 1L, Long::sum));
    List<JobView> sample = new ArrayList<>();
    for (UUID id : queues.keySet().stream().limit(SAMPLES).toList()) {
      reads.find(id).ifPresent(sample::add);
    }
    return new OperationPreview(
        queues.size(), true, plan.maxJobs(), byQueue, JobAnswers.samples(sample, clock.instant()));
  }
}
