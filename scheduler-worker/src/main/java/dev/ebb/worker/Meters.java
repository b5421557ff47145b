package dev.ebb.worker;

import dev.ebb.core.health.Figure;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.stats.MeteredQueues;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** The worker's metrics; queue, kind and outcome are the only tags. */
final class Meters {
  private static final Duration[] CLAIM_BUCKETS =
      millis(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000);
  private static final Duration[] ATTEMPT_BUCKETS =
      millis(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000);
  private static final Duration[] LATENESS_BUCKETS =
      millis(
          10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000,
          3_600_000);

  private final MeterRegistry registry;
  private final Counter refused;
  private final Counter rescued;
  private final Counter lostLeases;
  private final Counter claims;
  private final Timer claimTimes;
  private final MeteredQueues queues = new MeteredQueues();
  // A look-up in the registry builds its tags anew each time; the hot path keeps what it found.
  private final ConcurrentHashMap<Key, Timer> attempts = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Timer> lateness = new ConcurrentHashMap<>();

  private record Key(String queue, String kind, String outcome) {}

  Meters(MeterRegistry registry, Slots slots) {
    this.registry = registry;
    this.refused =
        counter(
            "ebb.settles.refused",
            "Results not written, because the job had been given to another node or changed.");
    this.rescued = counter("ebb.jobs.rescued", "Jobs that this node rescued from lost workers.");
    this.lostLeases =
        counter(
            "ebb.leases.lost",
            "Leases that ended before their jobs; other nodes may run these jobs.");
    this.claims = counter("ebb.jobs.claimed", "Jobs claimed by this node.");
    this.claimTimes =
        Timer.builder(Figure.CLAIMS_METER)
            .description("Duration of claims, one queue each.")
            .publishPercentiles(0.5, 0.99)
            .percentilePrecision(2)
            .serviceLevelObjectives(CLAIM_BUCKETS)
            .register(registry);
    Gauge.builder("ebb.jobs.running", slots, Slots::taken)
        .description("Jobs running on this node.")
        .register(registry);
  }

  private static Duration[] millis(long... bounds) {
    return LongStream.of(bounds).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  /** Notes from a claim whether the queue has settings of its own. */
  void answered(String queue, boolean isConfigured) {
    var _ = queues.admit(queue, isConfigured);
  }

  /** A claim was answered, or failed, after so long. */
  void claimTook(long nanos) {
    claimTimes.record(nanos, TimeUnit.NANOSECONDS);
  }

  void claimed(String queue, Lease lease) {
    claims.increment(lease.jobs().size());
    Timer late = lateness.computeIfAbsent(queues.name(queue), this::lateness);
    for (long micros : lease.lateMicros()) {
      late.record(Math.max(0, micros), TimeUnit.MICROSECONDS);
    }
  }

  private Timer lateness(String queue) {
    return Timer.builder("ebb.job.lateness")
        .description("How long jobs had been due when claimed.")
        .tag("queue", queue)
        .serviceLevelObjectives(LATENESS_BUCKETS)
        .register(registry);
  }

  void rescued(int jobs) {
    rescued.increment(jobs);
  }

  void leasesLost(int leases) {
    lostLeases.increment(leases);
  }

  void settled(List<FinishedAttempt> batch, List<FinishedAttempt> keptOut) {
    refused.increment(keptOut.size());
    // The empty set answers without a hash of every settlement.
    Set<FinishedAttempt> out = keptOut.isEmpty() ? Set.of() : new HashSet<>(keptOut);
    for (FinishedAttempt settled : batch) {
      if (!out.contains(settled)) {
        timer(settled).record(settled.took());
      }
    }
  }

  private Timer timer(FinishedAttempt settled) {
    String queue = settled.claimed().job().queue();
    Key key = new Key(queues.name(queue), settled.claimed().job().kind(), settled.outcome().word());
    return attempts.computeIfAbsent(key, this::attempts);
  }

  private Timer attempts(Key key) {
    return Timer.builder("ebb.job.attempts")
        .description("Duration of attempts that ended and were settled on this node.")
        .tags("queue", key.queue(), "kind", key.kind(), "outcome", key.outcome())
        .serviceLevelObjectives(ATTEMPT_BUCKETS)
        .register(registry);
  }
}
