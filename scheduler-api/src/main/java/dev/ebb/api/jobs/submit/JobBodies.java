package dev.ebb.api.jobs.submit;

import dev.ebb.api.access.IdempotencyKeys;
import dev.ebb.api.destinations.KnownDestinations;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.PolicyNames;
import dev.ebb.api.jobs.CardNumberCheck;
import dev.ebb.api.jobs.JobResource;
import dev.ebb.api.jobs.submit.SubmitRefusals.Of;
import dev.ebb.api.policies.NamedPolicies;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.JobQueue;
import dev.ebb.db.queue.QueueDepths;
import dev.ebb.db.submit.Submission;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the jobs that a request submits, and refuses those for which their queue has no room, or no
 * address; or that it only describes, so that nothing is to be stored.
 */
public final class JobBodies {
  private static final String ITEMS = "/jobs";

  private final Bodies bodies;
  private final NamedPolicies policies;
  private final QueueDepths depths;
  private final JobQueue queue;
  private final Addresses addresses;
  private final CardNumberCheck cards;

  public JobBodies(
      Bodies bodies,
      NamedPolicies policies,
      QueueDepths depths,
      JobQueue queue,
      KnownDestinations destinations,
      CardNumberCheck cards) {
    this.bodies = bodies;
    this.policies = policies;
    this.depths = depths;
    this.queue = queue;
    this.addresses = new Addresses(destinations);
    this.cards = cards;
  }

  public Submission one(HttpServletRequest request) throws SQLException {
    JsonObject body = bodies.object(request);
    IdempotencyKey key = IdempotencyKeys.of(request, body);
    NamedPolicies.OfRequest named = named(key);
    NewJob job = JobResource.read(body, named);
    cards.require(job, "");
    Set<Integer> strict = OnDuplicate.isRejected(body) ? Set.of(0) : Set.of();
    Submission one = new Submission(List.of(job), strict, key, named.stored());
    requireRoom(one, null);
    return one;
  }

  /** The job that the body describes, whether there is room or not. */
  public NewJob described(HttpServletRequest request) throws SQLException {
    JsonObject body = bodies.object(request);
    NewJob job = JobResource.read(body, policies());
    cards.require(job, "");
    var _ = OnDuplicate.isRejected(body);
    requireDestination(job);
    return job;
  }

  /** The batch; of one whose jobs stand for themselves, those without room are refused in it. */
  public BatchRequest batch(HttpServletRequest request) throws Exception {
    return withRoom(bodies.batch(request, body -> withoutCards(read(request, body))));
  }

  /** The batch that the body describes, whether there is room or not. */
  public BatchRequest describedBatch(HttpServletRequest request) throws Exception {
    return withDestinations(
        bodies.batch(
            request, body -> withoutCards(BatchRequest.read(body, policies.forRequest(), null))));
  }

  private BatchRequest withoutCards(BatchRequest batch) {
    return switch (batch) {
      case BatchRequest.Whole(Submission submission) -> {
        cards.require(submission.jobs(), ITEMS);
        yield batch;
      }
      case BatchRequest.Parts(PartialBatch parts) ->
          new BatchRequest.Parts(
              parts.without(wanted -> cards.refusal(wanted.job(), wanted.pointer())));
    };
  }

  private BatchRequest withDestinations(BatchRequest batch) throws SQLException {
    return switch (batch) {
      case BatchRequest.Whole(Submission submission) -> {
        addresses.require(submission.jobs(), ITEMS);
        yield batch;
      }
      case BatchRequest.Parts(PartialBatch parts) -> new BatchRequest.Parts(addresses.in(parts));
    };
  }

  /** Refuses a delivery that could go nowhere. */
  public void requireDestination(NewJob job) throws SQLException {
    addresses.require(List.of(job), null);
  }

  private BatchRequest withRoom(BatchRequest batch) throws SQLException {
    return switch (batch) {
      case BatchRequest.Whole(Submission submission) -> {
        requireRoom(submission, ITEMS);
        yield batch;
      }
      case BatchRequest.Parts(PartialBatch parts) ->
          new BatchRequest.Parts(
              addresses
                  .in(parts)
                  .without(wanted ->
                      depths
                          .letIn(List.of(wanted.job()))
                          .map(full -> SubmitRefusals.full(Of.ONE_JOB, full))));
    };
  }

  private BatchRequest read(HttpServletRequest request, JsonObject body) {
    IdempotencyKey key = IdempotencyKeys.of(request, body);
    return BatchRequest.read(body, named(key), key);
  }

  private NamedPolicies.OfRequest named(@Nullable IdempotencyKey key) {
    return key == null ? policies.forRequest() : policies.forRequest(() -> queue.named(key));
  }

  /** Refuses a job that holds a card number, by setting. */
  public void requireNoCards(NewJob job) {
    cards.require(job, "");
  }

  /** The policies that one request may name. */
  public PolicyNames policies() {
    return policies.forRequest();
  }

  /** Refuses a job for which its queue has no room, or that could go nowhere. */
  public void requireRoom(NewJob job) throws SQLException {
    requireRoom(new Submission(List.of(job), Set.of(), null), null);
  }

  /** What is stored already needs neither room nor address. */
  private void requireRoom(Submission submission, @Nullable String items) throws SQLException {
    Optional<Refusal> refusal = addresses.refusal(submission.jobs(), items);
    if (refusal.isEmpty()) {
      refusal = depths.letIn(submission.jobs()).map(full -> SubmitRefusals.full(Of.ALL, full));
    }
    if (refusal.isPresent() && !queue.isStored(submission)) {
      throw refusal.get();
    }
  }
}
