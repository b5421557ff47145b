package dev.ebb.bench;

import dev.ebb.bench.report.Figure;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Submits over REST on loopback: one by one on eight connections, and in batches on one. */
record Rest() implements Workload {
  private static final int SINGLES = 20_000;
  private static final int CONNECTIONS = 8;
  private static final int BATCHED = 100_000;
  private static final int BATCH = 1_000;

  @Override
  public String id() {
    return "rest";
  }

  @Override
  public String sentence() {
    return "POST /v1/jobs on eight connections that are kept, with p50 and p99 of a request, and"
        + " POST /v1/jobs/batch of 1,000 on one; over loopback.";
  }

  @Override
  public boolean fits(Entrant entrant) {
    return entrant == Entrant.EBB;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int singles = round.scaled(SINGLES);
    int batched = round.scaled(BATCHED);
    round.prepare(1, 1, 0);
    round.rest();
    Meter single = new Meter(round);
    round.open();
    int port = (int) round.first().ask(new Request.Serve()).value();
    single.begin();
    List<Integer> micros = submitSingles(port, singles);
    single.end();
    Meter batch = new Meter(round);
    batch.begin();
    submitBatches(port, batched);
    batch.end();
    round.leave();
    round.checkStored(singles + batched);
    Map<Figure, Double> figures = new EnumMap<>(Figures.percentiles(micros));
    figures.putAll(
        Map.of(
            Figure.RATE, singles / single.seconds(),
            Figure.CPU_POSTGRES, single.postgresMicros() / singles,
            Figure.CPU_NODE, single.nodeMicros() / singles,
            Figure.WAL, single.wal() / singles,
            Figure.STATEMENTS, single.statements() / singles,
            Figure.BATCH_RATE, batched / batch.seconds(),
            Figure.BATCH_WAL, batch.wal() / batched,
            Figure.BATCH_CPU_POSTGRES, batch.postgresMicros() / batched,
            Figure.BATCH_CPU_NODE, batch.nodeMicros() / batched));
    return Figures.of(figures);
  }

  private static List<Integer> submitSingles(int port, int jobs) throws Exception {
    int[] micros = new int[jobs];
    Submitters.onThreads(
        CONNECTIONS,
        thread -> {
          try (RestClient client = new RestClient(port)) {
            for (int i = thread; i < jobs; i += CONNECTIONS) {
              long start = System.nanoTime();
              client.post("/v1/jobs", job(i));
              micros[i] = Math.toIntExact((System.nanoTime() - start) / 1000);
            }
          }
        });
    return IntStream.of(micros).boxed().toList();
  }

  private static void submitBatches(int port, int jobs) throws Exception {
    try (RestClient client = new RestClient(port)) {
      for (int from = 0; from < jobs; from += BATCH) {
        client.post(
            "/v1/jobs/batch",
            IntStream.range(from, Math.min(jobs, from + BATCH))
                .mapToObj(Rest::job)
                .collect(Collectors.joining(",", "{\"jobs\":[", "]}")));
      }
    }
  }

  private static String job(int number) {
    return "{\"kind\":\"bench\",\"payload\":" + Payload.of(number) + "}";
  }
}
