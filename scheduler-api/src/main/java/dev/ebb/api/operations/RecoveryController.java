package dev.ebb.api.operations;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.destinations.DestinationsController;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.queues.QueuesController;
import dev.ebb.contract.OperationPreview;
import dev.ebb.contract.RecoveryFailure;
import dev.ebb.contract.RecoveryPreview;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Scope;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.Pace;
import dev.ebb.core.query.Condition;
import dev.ebb.core.query.Condition.Comparison;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobFilter;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.view.FailureCount;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * Starts the redrive of what a destination lost since a time, and tells beforehand what it covers.
 */
@Controller
public final class RecoveryController {
  private static final List<Integer> STAGES = List.of(1, 10, 100);

  private final Bodies bodies;
  private final OperationStarts starts;
  private final Queues queues;
  private final InstantSource clock = InstantSource.system();

  RecoveryController(Bodies bodies, OperationStarts starts, Queues queues) {
    this.bodies = bodies;
    this.starts = starts;
    this.queues = queues;
  }

  /** Jobs that succeeded, were cancelled or are on their way are no dead letters. */
  @PostMapping(path = "/v1/destinations/{destination}/recover", produces = "application/json")
  @Needs(Scope.JOBS_OPERATE)
  Answer recover(HttpServletRequest request, @PathVariable String destination) throws Exception {
    QueuesController.requireName(destination);
    JsonObject body = bodies.object(request);
    return starts.start(request, body, () -> read(body, destination));
  }

  /** Tells what the recovery would redrive, and starts nothing. */
  @PostMapping(
      path = "/v1/destinations/{destination}/recover/preview",
      produces = "application/json")
  @Needs(Scope.JOBS_OPERATE)
  Answer preview(HttpServletRequest request, @PathVariable String destination) throws Exception {
    QueuesController.requireName(destination);
    JsonObject body = bodies.object(request);
    OperationRequest asked = read(body, destination);
    var _ = Caller.of(request).act(request, body);
    OperationPreview found = starts.look(asked);
    return Answer.ok(
        new RecoveryPreview(
            found.matched(),
            found.exact(),
            found.maxJobs(),
            starts.failures(asked).stream().map(RecoveryController::shown).toList(),
            takesAtLeast(found, asked.plan().pace(), rate(destination)),
            found.sample()));
  }

  private static RecoveryFailure shown(FailureCount failure) {
    return new RecoveryFailure(
        failure.reason(),
        failure.jobs(),
        Answer.shown(failure.first()),
        Answer.shown(failure.last()));
  }

  private @Nullable RateLimit rate(String destination) throws SQLException {
    return queues.find(destination).map(found -> found.settings().rateLimit()).orElse(null);
  }

  /** Its jobs start no faster than the operation goes, and than the warm-up lets them. */
  private static @Nullable Duration takesAtLeast(
      OperationPreview found, @Nullable Pace pace, @Nullable RateLimit rate) {
    Integer most = found.maxJobs();
    long jobs = most == null ? found.matched() : Math.min(most, found.matched());
    Duration paced =
        pace == null ? null : Duration.ofMillis((long) Math.ceil(1e3 * jobs / pace.perSecond()));
    Duration warming = rate == null ? null : new WarmUpLimiter(rate).fromCold(jobs);
    return Stream.of(paced, warming)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  private OperationRequest read(JsonObject body, String destination) throws Exception {
    body.allow(
        "since",
        "until",
        "rate",
        "stages",
        "stopOnFailureRatio",
        "pauseAfterStages",
        "maxJobs",
        "expectedCount",
        "reason");
    JobFilter lost = lost(body, destination, clock.instant());
    if (queues.destinations(List.of(destination)).isEmpty()) {
      throw DestinationsController.unknown(destination);
    }
    return OperationRequest.of(body, new JobAction.Redrive(true, true), lost, STAGES);
  }

  private static JobFilter lost(JsonObject body, String destination, Instant now) {
    Instant since = body.required("since").instant();
    Instant until = body.optional("until", JsonValue::instant);
    if (!since.isBefore(now)) {
      throw Refusal.field("/since", "must lie in the past");
    }
    if (until != null && !until.isAfter(since)) {
      throw Refusal.field("/until", "must be later than since");
    }
    return body.build(() -> {
      FilterBuilder filter = new FilterBuilder().add(Condition.is("queue", List.of(destination)));
      died(filter, Comparison.AT_LEAST, "since", since);
      if (until != null) {
        died(filter, Comparison.BELOW, "until", until);
      }
      return filter.build();
    });
  }

  private static void died(
      FilterBuilder filter, Comparison comparison, String field, Instant time) {
    try {
      filter.add(Condition.of("ended", comparison, time.toString()));
    } catch (InvalidInput invalid) {
      throw new InvalidInput(field, invalid.rule());
    }
  }
}
