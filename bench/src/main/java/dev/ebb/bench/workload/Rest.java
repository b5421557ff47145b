package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.child.Submitters;
import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.contender.Payload;
import dev.ebb.bench.report.Figure;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Submits over REST on loopback: one by one on eight connections, and in batches on one.
 *
 * @param keyed whether each request has an Idempotency-Key
 */
record Rest(String id, boolean keyed) implements Workload {
  private static final int SINGLES = 20_000;
  private static final int CONNECTIONS = 8;
  private static final int BATCHED = 100_000;
  private static final int BATCH = 1_000;

  private static final Map<Figure, Figure> IN_BATCHES =
      Map.of(
          Figure.RATE, Figure.BATCH_RATE,
          Figure.CPU_POSTGRES, Figure.BATCH_CPU_POSTGRES,
          Figure.CPU_NODE, Figure.BATCH_CPU_NODE,
          Figure.WAL, Figure.BATCH_WAL,
          Figure.STATEMENTS, Figure.BATCH_STATEMENTS,
          Figure.TRANSACTIONS, Figure.BATCH_TRANSACTIONS,
          Figure.DEAD, Figure.BATCH_DEAD);

  @Override
  public String sentence() {
    return "POST /v1/jobs on eight connections that are kept, with p50 and p99 of a request, and"
        + " POST /v1/jobs/batch of 1,000 on one; over loopback"
        + (keyed ? ", each with an Idempotency-Key of its own." : ".");
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
    int port = serve(round);
    single.begin();
    List<Integer> micros = submitSingles(port, singles);
    single.end();
    round.leave();
    Map<Figure, Double> figures = new EnumMap<>(single.perJob(singles));
    figures.putAll(Figures.percentiles(micros));
    Meter batch = new Meter(round);
    port = serve(round);
    batch.begin();
    submitBatches(port, batched);
    batch.end();
    round.leave();
    round.checkStored(singles + batched);
    batch
        .perJob(batched)
        .forEach((figure, value) -> {
          if (IN_BATCHES.containsKey(figure)) {
            figures.put(IN_BATCHES.get(figure), value);
          }
        });
    return figures;
  }

  private static int serve(Round round) throws Exception {
    round.open();
    return (int) round.first().ask(new Request.Serve()).value();
  }

  private List<Integer> submitSingles(int port, int jobs) throws Exception {
    int[] micros = new int[jobs];
    Submitters.onThreads(
        CONNECTIONS,
        thread -> {
          try (RestClient client = new RestClient(port, keyed)) {
            for (int i = thread; i < jobs; i += CONNECTIONS) {
              long start = System.nanoTime();
              client.post("/v1/jobs", job(i));
              micros[i] = Math.toIntExact((System.nanoTime() - start) / 1000);
            }
          }
        });
    return IntStream.of(micros).boxed().toList();
  }

  private void submitBatches(int port, int jobs) throws Exception {
    try (RestClient client = new RestClient(port, keyed)) {
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
