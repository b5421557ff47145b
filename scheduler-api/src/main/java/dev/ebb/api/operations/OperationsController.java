package dev.ebb.api.operations;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Ids;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.OneAtATime;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.submit.IdempotencyKeys;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.JobCount;
import dev.ebb.contract.OperationPreview;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.operation.Matched;
import dev.ebb.db.operation.OperationView;
import dev.ebb.db.operation.Operations;
import dev.ebb.db.operation.StartAnswer;
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
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Starts operations, tells beforehand what one would cover, and lists them. */
@Controller
@RequestMapping(produces = "application/json")
public final class OperationsController {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 200;
  private static final int SAMPLES = 10;

  private final Bodies bodies;
  private final Operations operations;
  private final JobReads reads;
  private final Notifier notifier;
  private final Counter replayed;
  private final InstantSource clock = InstantSource.system();
  private final OneAtATime counts = new OneAtATime("counts of operations", 4);

  OperationsController(
      Bodies bodies,
      Operations operations,
      JobReads reads,
      Notifier notifier,
      MeterRegistry meters) {
    this.bodies = bodies;
    this.operations = operations;
    this.reads = reads;
    this.notifier = notifier;
    this.replayed =
        Counter.builder("ebb.operations.replayed")
            .description("Starts of operations answered again under their Idempotency-Key.")
            .register(meters);
  }

  /** Tells what the operation would cover, and starts nothing. */
  @PostMapping("/v1/operations/preview")
  @Needs(Scope.JOBS_OPERATE)
  Answer preview(HttpServletRequest request) throws Exception {
    JsonObject body = bodies.object(request);
    Caller caller = Caller.of(request);
    OperationRequest asked = OperationRequest.read(body, caller, clock.instant());
    var _ = caller.act(request, body);
    OperationPreview found = counts.run(() -> preview(asked.plan()));
    requireExpected(asked, new Matched(found.matched(), found.exact()));
    return Answer.ok(found);
  }

  @PostMapping("/v1/operations")
  @Needs(Scope.JOBS_OPERATE)
  Answer start(HttpServletRequest request) throws Exception {
    JsonObject body = bodies.object(request);
    Caller caller = Caller.of(request);
    IdempotencyKey key = IdempotencyKeys.of(request, body);
    // Before the rest is judged: the jobs and the clock are no longer those of the first request.
    Optional<StartAnswer> known = known(key);
    StartAnswer answer = known.isPresent() ? known.get() : started(request, body, key);
    notifier.operationStarted();
    return shown(answer, caller);
  }

  private Optional<StartAnswer> known(@Nullable IdempotencyKey key) throws SQLException {
    return key == null ? Optional.empty() : operations.known(key);
  }

  private StartAnswer started(
      HttpServletRequest request, JsonObject body, @Nullable IdempotencyKey key) throws Exception {
    Caller caller = Caller.of(request);
    OperationRequest asked = OperationRequest.read(body, caller, clock.instant());
    Act act = caller.act(request, body);
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

  @GetMapping("/v1/operations")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"cursor", "limit"})
  Answer list(Query query, Caller caller) throws SQLException {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    UUID before = Ids.cursor(query.value("cursor"));
    return Answer.ok(OperationResource.page(operations.page(before, limit), limit, caller));
  }
}
