package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.child.Submitters;
import dev.ebb.bench.contender.EbbContender;
import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.contender.Labels;
import dev.ebb.bench.contender.Payload;
import dev.ebb.bench.report.Figure;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.NewToken;
import dev.ebb.core.access.Scope;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.connection.Database;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Submits over REST on loopback: one by one on eight connections, and in batches on one.
 *
 * @param keyed whether the API asks for tokens, and each request has an Idempotency-Key
 */
record Rest(String id, boolean keyed) implements Workload {
  private static final int SINGLES = 60_000;
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
        + (keyed ? ", each with a token, and an Idempotency-Key of its own." : ".");
  }

  @Override
  public String together() {
    return "rest";
  }

  @Override
  public boolean fits(Entrant entrant) {
    return keyed ? entrant == Entrant.EBB : entrant.isEbb();
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int singles = round.scaled(SINGLES);
    int batched = round.scaled(BATCHED);
    round.prepare(1, 1, 0);
    round.rest();
    String token = keyed ? token(round) : null;
    Meter single = new Meter(round);
    int port = serve(round);
    single.begin();
    boolean isLabelled = round.entrant().isLabelled();
    List<Integer> micros = submitSingles(port, token, singles, isLabelled);
    single.end();
    round.leave();
    Map<Figure, Double> figures = new EnumMap<>(single.perJob(singles));
    figures.putAll(Figures.percentiles(micros));
    Meter batch = new Meter(round);
    port = serve(round);
    batch.begin();
    submitBatches(port, token, batched, isLabelled);
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

  private static String token(Round round) throws SQLException {
    NewToken token = new NewToken("shop", Set.of(Scope.JOBS_SUBMIT), null);
    try (Database database = Database.open(EbbContender.config(round.target()))) {
      return new Tokens(database).create(token, Act.onMachine("bench")).orElseThrow().text();
    }
  }

  private int serve(Round round) throws Exception {
    round.open();
    return (int) round.first().ask(new Request.Serve(!keyed)).value();
  }

  private static List<Integer> submitSingles(
      int port, @Nullable String token, int jobs, boolean isLabelled) throws Exception {
    int[] micros = new int[jobs];
    Submitters.onThreads(
        CONNECTIONS,
        thread -> {
          try (RestClient client = new RestClient(port, token)) {
            for (int i = thread; i < jobs; i += CONNECTIONS) {
              long start = System.nanoTime();
              client.post("/v1/jobs", job(isLabelled ? Labels.json("", i) : "", i));
              micros[i] = Math.toIntExact((System.nanoTime() - start) / 1000);
            }
          }
        });
    return IntStream.of(micros).boxed().toList();
  }

  private static void submitBatches(int port, @Nullable String token, int jobs, boolean isLabelled)
      throws Exception {
    try (RestClient client = new RestClient(port, token)) {
      for (int from = 0; from < jobs; from += BATCH) {
        client.post(
            "/v1/jobs/batch",
            IntStream.range(from, Math.min(jobs, from + BATCH))
                .mapToObj(i -> job(isLabelled ? Labels.json("batch-", i) : "", i))
                .collect(Collectors.joining(",", "{\"jobs\":[", "]}")));
      }
    }
  }

  private static String job(String labels, int number) {
    return "{" + labels + "\"kind\":\"bench\",\"payload\":" + Payload.of(number) + "}";
  }
}
