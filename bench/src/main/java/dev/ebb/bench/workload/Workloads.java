package dev.ebb.bench.workload;

import dev.ebb.core.limit.RateLimit;
import java.util.List;

/** Every workload, in the order in which they are done. */
public final class Workloads {
  public static final List<Workload> ALL =
      List.of(
          new Submits("submit-single", false),
          new Submits("submit-bulk", true),
          new Drain("drain", 1, 1),
          new Drain("drain-2", 2, 1),
          new LimitedDrain("drain-limited", RateLimit.MAX_RATE),
          new Drain("drain-4q", 1, 4),
          new Drain("drain-4q-2", 2, 4),
          new LimitedDrain("drain-20000", 20_000),
          new Latency("trickle", 100),
          new Latency("latency-1000", 1_000),
          new RetryStorm(),
          new Parked(),
          new Scheduled(),
          new Idle("idle", 1, 0),
          new Idle("queues-parked", 10_000, 1_000_000),
          new ManyQueues(),
          new LoudQueue(),
          new Unserved(),
          new LimitedQueues("queues-100x40", 100, 40),
          new LimitedQueues("queues-1000x20", 1_000, 20),
          new OldSnapshot(),
          new EndedLeases(),
          new InFlight(),
          new Rest("rest", false),
          new Rest("rest-keys", true),
          new Deliveries(),
          new SlowAnswers(),
          new Polls(),
          new Reads(),
          new Memory());

  private Workloads() {}

  public static List<String> ids() {
    return ALL.stream().map(Workload::id).toList();
  }

  public static Workload of(String id) {
    return ALL.stream().filter(workload -> workload.id().equals(id)).findFirst().orElseThrow();
  }
}
