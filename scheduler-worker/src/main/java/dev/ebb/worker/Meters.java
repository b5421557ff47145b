package dev.ebb.worker;

import dev.ebb.core.health.ClaimTimes;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.settle.FinishedAttempt;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The worker's metrics; queue, kind and outcome are the only tags. A queue without settings of its
 * own is counted as {@value #OTHER}: anybody can submit to a new queue, and its series would stay.
 */
final class Meters {
  private static final String OTHER = "other";

  private final MeterRegistry registry;
  private final Counter refused;
  private final Counter rescued;
  private final Counter lostLeases;
  private final Counter claims;
  private final Timer claimTimes;
  private final Set<String> configured = ConcurrentHashMap.newKeySet();
  // A look-up in the registry builds its tags anew each time; the hot path keeps what it found.
  private final ConcurrentHashMap<Key, Timer> attempts = new ConcurrentHashMap<>();

  private record Key(String queue, String kind, String outcome) {}

  Meters(MeterRegistry registry, Slots slots) {
    this.registry = registry;
    this.refused = registry.counter("ebb.settles.refused");
    this.rescued = registry.counter("ebb.jobs.rescued");
    this.lostLeases = registry.counter("ebb.leases.lost");
    this.claims = registry.counter("ebb.jobs.claimed");
    this.claimTimes =
        Timer.builder(ClaimTimes.METER)
            .publishPercentiles(ClaimTimes.quantiles())
            .percentilePrecision(2)
            .register(registry);
    Gauge.builder("ebb.jobs.running", slots, Slots::taken).register(registry);
  }

  /** Notes from a claim whether the queue has settings of its own. */
  void answered(String queue, boolean isConfigured) {
    if (!isConfigured) {
      configured.remove(queue);
    } else if (!configured.contains(queue)) {
      configured.add(queue);
    }
  }

  /** A claim was answered, or failed, after so long. */
  void claimTook(long nanos) {
    claimTimes.record(nanos, TimeUnit.NANOSECONDS);
  }

  void claimed(int jobs) {
    claims.increment(jobs);
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
    Key key =
        new Key(
            configured.contains(queue) ? queue : OTHER,
            settled.claimed().job().kind(),
            word(settled.outcome()));
    return attempts.computeIfAbsent(
        key,
        k ->
            registry.timer(
                "ebb.job.attempts",
                Tags.of("queue", k.queue(), "kind", k.kind(), "outcome", k.outcome())));
  }

  private static String word(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed _ -> "completed";
      case Outcome.Failed _ -> "failed";
      case Outcome.Throttled _ -> "throttled";
      case Outcome.NotReady _ -> "not_ready";
      case Outcome.Fatal _ -> "fatal";
      case Outcome.Cancelled _ -> "cancelled";
      case Outcome.Released _ -> "released";
    };
  }
}
