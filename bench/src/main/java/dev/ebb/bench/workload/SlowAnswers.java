package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.contender.Destinations;
import dev.ebb.bench.report.Figure;
import dev.ebb.bench.sink.Sink;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Deliveries whose answers let wait: what they keep in memory, and whether all are settled. */
record SlowAnswers() implements OfEbb, WarmsUpItself {
  private static final int DESTINATIONS = 1_000;
  private static final int IN_FLIGHT = 10_000;

  /** A queue may hold no more than what is free: at the end there must be as much left. */
  private static final int SPARE_SLOTS = 1_000;

  private static final Duration HELD = Duration.ofSeconds(30);

  @Override
  public String id() {
    return "slow-answers";
  }

  @Override
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "%,d deliveries in flight at one time, signed, to %,d destinations by turns, on a node with"
            + " `-Xmx%s`: the receiver answers none of them for %s s, and then all. The heap is"
            + " what a collection leaves while all are in flight, and so is the resident memory.",
        IN_FLIGHT,
        DESTINATIONS,
        heap(),
        HELD.toSeconds());
  }

  /** Not the others', so that its process has done nothing else before. */
  @Override
  public String heap() {
    return "500m";
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int jobs = round.scaled(IN_FLIGHT);
    try (Sink sink = Sink.start(jobs)) {
      sink.hold();
      round.prepare(1, 1, 0);
      try (Destinations merchants =
          new Destinations(round.target(), Math.min(DESTINATIONS, jobs))) {
        merchants.create(sink.port());
        merchants.fill(0, jobs);
      }
      round.rest();
      Meter meter = new Meter(round);
      round.open();
      meter.begin();
      var _ = round.first().ask(new Request.Deliver(jobs + SPARE_SLOTS));
      Deliveries.await(sink, jobs);
      Meter.pause(HELD);
      Map<Figure, Double> figures = memory(round);
      sink.release();
      meter.endWhenNoneIsOpen();
      round.leave();
      Deliveries.check(round, sink, jobs);
      figures.put(Figure.JOBS, (double) jobs);
      figures.put(Figure.SECONDS, meter.seconds());
      figures.put(Figure.CPU_NODE, meter.nodeMicros() / jobs);
      return figures;
    }
  }

  private static Map<Figure, Double> memory(Round round) throws Exception {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.HEAP_HELD, round.first().ask(new Request.Used()).value());
    round.first().residentMegabytes().ifPresent(resident -> figures.put(Figure.RESIDENT, resident));
    return figures;
  }
}
