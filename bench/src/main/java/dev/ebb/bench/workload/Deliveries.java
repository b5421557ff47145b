package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.child.Submitters;
import dev.ebb.bench.contender.Destinations;
import dev.ebb.bench.report.Figure;
import dev.ebb.bench.sink.Sink;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Signed deliveries to many destinations: as fast as one node can, and at a pace. */
record Deliveries() implements OfEbb {
  private static final int DESTINATIONS = 1_000;
  private static final int JOBS = 50_000;

  /** The default of a node. */
  private static final int CONCURRENCY = 500;

  private static final int PER_SECOND = 500;
  private static final int SECONDS = 10;
  private static final int THREADS = 8;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Override
  public String id() {
    return "destinations";
  }

  @Override
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "Deliveries over HTTP, signed with `v1`, to %,d destinations by turns, each with a host of"
            + " its own in loopback's network: jobs that were stored before, %s at a time; and p50,"
            + " p95 and p99 from the return of a submit's commit to the arrival at %s a second for"
            + " %s s. The receiver, which answers 204 at once, and the submits are the harness's:"
            + " they share the machine, and are not in the CPU per job.",
        DESTINATIONS,
        CONCURRENCY,
        PER_SECOND,
        SECONDS);
  }

  /** Code that delivers is compiled only after some seconds of it. */
  @Override
  public double warmUp() {
    return 0.5;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = round.scaled(JOBS);
    int paced = round.scaled(SECONDS * PER_SECOND);
    int destinations = Math.min(DESTINATIONS, jobs);
    try (Sink sink = Sink.start(jobs + paced)) {
      round.prepare(1, 1, 0);
      try (Destinations merchants = new Destinations(round.target(), destinations)) {
        merchants.create(sink.port());
        merchants.fill(0, jobs);
      }
      Map<Figure, Double> figures = drain(round, sink, jobs);
      figures.putAll(pace(round, sink, destinations, jobs, jobs + paced));
      check(round, sink, jobs + paced);
      return figures;
    }
  }

  private static Map<Figure, Double> drain(Round round, Sink sink, int jobs) throws Exception {
    round.rest();
    Meter meter = new Meter(round);
    round.open();
    meter.begin();
    var _ = round.first().ask(new Request.Deliver(CONCURRENCY));
    await(sink, jobs);
    meter.endWhenNoneIsOpen();
    round.leave();
    return meter.perJob(jobs);
  }

  private static Map<Figure, Double> pace(
      Round round, Sink sink, int destinations, int from, int to) throws Exception {
    long[] committed;
    round.open();
    var _ = round.first().ask(new Request.Deliver(CONCURRENCY));
    try (Destinations merchants = new Destinations(round.target(), destinations)) {
      committed =
          Submitters.submit(
              merchants::submit, new Request.Pace(from, to, PER_SECOND, THREADS, false));
      await(sink, to);
    }
    round.awaitNoneOpen();
    round.leave();
    return Figures.percentiles(Submitters.sinceCommit(committed, i -> sink.arrivedNanos(from + i)));
  }

  static void await(Sink sink, int jobs) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (sink.arrived() < jobs) {
      CheckFailed.after(deadline, () -> sink.arrived() + " of " + jobs + " deliveries came");
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  /** Throws unless each delivery came once, signed, and is in the tables as it should be. */
  static void check(Round round, Sink sink, int jobs) throws Exception {
    List<Integer> came = sink.perNumber();
    round.check(jobs, came);
    if (sink.unsigned() > 0) {
      throw new CheckFailed(sink.unsigned() + " deliveries were not signed");
    }
  }
}
