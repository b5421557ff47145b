package dev.ebb.api.leases;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.Lease;
import dev.ebb.contract.LeaseRenewal;
import dev.ebb.contract.LeaseSettlement;
import dev.ebb.contract.LeasedJob;
import dev.ebb.contract.LockedResult;
import dev.ebb.contract.RefusedResult;
import dev.ebb.contract.RenewedLease;
import dev.ebb.contract.SettledJob;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.poll.Ending;
import dev.ebb.db.poll.PolledJob;
import dev.ebb.db.poll.PolledLease;
import dev.ebb.db.poll.Renewal;
import dev.ebb.db.poll.Settled;
import dev.ebb.db.settle.FinishedAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shows leases, and what came of them. */
final class LeaseResource {
  private LeaseResource() {}

  static Lease of(PolledLease lease) {
    return new Lease(
        Long.toString(lease.id()),
        lease.queue(),
        Answer.shown(lease.expiresAt()),
        lease.length(),
        lease.jobs().stream().map(LeaseResource::job).toList());
  }

  private static LeasedJob job(PolledJob job) {
    return new LeasedJob(
        job.id().toString(),
        job.kind(),
        job.attempt(),
        job.maxAttempts(),
        job.priority(),
        Objects.requireNonNull(Answer.embeddable(job.payload())),
        job.labels(),
        job.timeout(),
        Answer.shown(job.runAt()),
        Answer.shown(job.createdAt()),
        job.traceparent());
  }

  static LeaseRenewal of(List<Long> asked, Renewal renewal) {
    return new LeaseRenewal(
        renewal.expiresAt().entrySet().stream()
            .map(lease ->
                new RenewedLease(Long.toString(lease.getKey()), Answer.shown(lease.getValue())))
            .toList(),
        asked.stream()
            .filter(lease -> !renewal.expiresAt().containsKey(lease))
            .filter(lease -> !renewal.locked().contains(lease))
            .map(lease -> Long.toString(lease))
            .toList(),
        renewal.cancelled().stream().map(UUID::toString).toList(),
        renewal.draining());
  }

  /**
   * What came of results.
   *
   * @param now when they were settled, by this machine's clock
   */
  static LeaseSettlement of(Settled settled, Instant now) {
    return new LeaseSettlement(
        settled.written().stream().map(attempt -> settled(attempt, now)).toList(),
        Stream.concat(
                settled.before().stream().map(ending -> refused(ending, "settled")),
                settled.ended().stream().map(ending -> refused(ending, "lease_ended")))
            .toList(),
        settled.locked().stream()
            .map(ending -> new LockedResult(Long.toString(ending.lease()), ending.job().toString()))
            .toList());
  }

  private static SettledJob settled(FinishedAttempt attempt, Instant now) {
    Settlement settlement = attempt.settlement();
    Duration delay = delay(settlement);
    return new SettledJob(
        Long.toString(attempt.claimed().fencingToken()),
        attempt.claimed().job().id().toString(),
        state(settlement).word(),
        delay == null ? null : Answer.shown(now.plus(delay)));
  }

  private static JobState state(Settlement settlement) {
    return switch (settlement) {
      case Settlement.Complete _ -> JobState.COMPLETED;
      case Settlement.DeadLetter _ -> JobState.DEAD_LETTER;
      case Settlement.Cancel _ -> JobState.CANCELLED;
      case Settlement.Retry _, Settlement.Snooze _, Settlement.GiveBack _ -> JobState.AVAILABLE;
    };
  }

  /** Until the next attempt is due; {@code null} if there is none. */
  private static @Nullable Duration delay(Settlement settlement) {
    return switch (settlement) {
      case Settlement.Retry retry -> retry.delay();
      case Settlement.Snooze snooze -> snooze.delay();
      case Settlement.GiveBack _ -> Duration.ZERO;
      case Settlement.Complete _, Settlement.DeadLetter _, Settlement.Cancel _ -> null;
    };
  }

  private static RefusedResult refused(Ending ending, String why) {
    return new RefusedResult(Long.toString(ending.lease()), ending.job().toString(), why);
  }
}
