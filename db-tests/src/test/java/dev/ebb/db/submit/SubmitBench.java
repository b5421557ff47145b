package dev.ebb.db.submit;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.JobQueue;
import dev.ebb.db.Meter;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.notify.Notifier;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Submits beside bare JDBC inserts, in alternating slices: a program that prints what each cost,
 * and judges nothing.
 */
final class SubmitBench implements AutoCloseable {
  private static final int ROUNDS = Integer.getInteger("ebb.bench.rounds", 3);
  private static final int SLICES = Integer.getInteger("ebb.bench.slices", 10);
  private static final int SINGLES = 2_000;
  private static final int ALONE = 200;
  private static final int BATCH = 1_000;
  private static final int BATCHES = 20;
  private static final String PAYLOAD =
      "{\"order\":\"4711\",\"merchant\":\"m-17\",\"text\":\"" + "x".repeat(157) + "\"}";

  private final DatabaseConfig config = TestPostgres.shared().newDatabase();
  private final BareSubmit bare;
  private final Database database = TestPostgres.open(config);
  private final Notifier notifier =
      new Notifier(database, new FailureLog(new SimpleMeterRegistry()));
  private final Submitter submitter = new Submitter(database, notifier);
  private final JobQueue queue = new JobQueue(database);
  private final Map<String, List<Meter.Cost>> costs;

  private SubmitBench(Map<String, List<Meter.Cost>> costs) throws Exception {
    this.bare = new BareSubmit(config, 8, PAYLOAD);
    this.costs = costs;
  }

  private interface Work {
    void run(int number) throws Exception;
  }

  /** Runs a warm-up and the rounds, each in a database of its own, and prints the table. */
  public static void main(String[] args) throws Exception {
    Map<String, List<Meter.Cost>> all = new LinkedHashMap<>();
    for (int round = 0; round <= ROUNDS; round++) {
      if (round == 1) {
        all.clear();
      }
      try (SubmitBench bench = new SubmitBench(all)) {
        bench.round();
      }
    }
    print(all);
    System.exit(0);
  }

  private void round() throws Exception {
    for (int slice = 0; slice < SLICES; slice++) {
      measure("bare, 8 threads", 8, SINGLES, bare::one);
      measure("Submitter, 8", 8, SINGLES, _ -> submitter.submit(job()));
      measure("Submitter, 64", 64, 2 * SINGLES, _ -> submitter.submit(job()));
      measure("queue, 8", 8, SINGLES, _ -> queue.submit(List.of(job())));
      measure("bare, alone", 1, ALONE, bare::one);
      measure("Submitter, alone", 1, ALONE, _ -> submitter.submit(job()));
      measure("queue, alone", 1, ALONE, _ -> queue.submit(List.of(job())));
    }
    TestPostgres.shared().execute("checkpoint");
    for (int slice = 0; slice < SLICES; slice++) {
      measureBulk("bare, arrays", _ -> bare.many(BATCH));
      measureBulk("queue, in bulk", _ -> bulk());
    }
  }

  private void measure(String name, int callers, int jobs, Work work) throws Exception {
    AtomicInteger left = new AtomicInteger(jobs);
    List<Thread> threads = new ArrayList<>();
    Meter meter = Meter.start(config);
    for (int i = 0; i < callers; i++) {
      int number = i;
      threads.add(Thread.ofPlatform().start(() -> repeat(left, number, work)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    costs.computeIfAbsent(name, _ -> new ArrayList<>()).add(meter.stop(jobs));
  }

  private static void repeat(AtomicInteger left, int number, Work work) {
    try {
      while (left.getAndDecrement() > 0) {
        work.run(number);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void measureBulk(String name, Work work) throws Exception {
    Meter meter = Meter.start(config);
    for (int i = 0; i < BATCHES; i++) {
      work.run(i);
    }
    costs.computeIfAbsent(name, _ -> new ArrayList<>()).add(meter.stop(BATCH * BATCHES));
  }

  private static NewJob job() {
    return NewJob.of("echo", PAYLOAD);
  }

  private void bulk() throws Exception {
    List<NewJob> jobs = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      jobs.add(job());
    }
    queue.submit(jobs);
  }

  private static void print(Map<String, List<Meter.Cost>> costs) {
    System.out.printf(
        "%-20s %8s %17s %9s %9s %7s %6s%n",
        "", "jobs/s", "quartiles", "client us", "server us", "WAL B", "ratio");
    List<Meter.Cost> yardstick = List.of();
    for (Map.Entry<String, List<Meter.Cost>> entry : costs.entrySet()) {
      if (entry.getKey().startsWith("bare")) {
        yardstick = entry.getValue();
      }
      print(entry.getKey(), entry.getValue(), yardstick);
    }
  }

  private static void print(String name, List<Meter.Cost> costs, List<Meter.Cost> yardstick) {
    double[] rates = costs.stream().mapToDouble(Meter.Cost::perSecond).sorted().toArray();
    double[] ratios = new double[rates.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = costs.get(i).perSecond() / yardstick.get(i).perSecond();
    }
    java.util.Arrays.sort(ratios);
    Meter.Cost mean = Meter.Cost.mean(costs);
    System.out.printf(
        "%-20s %8.0f %8.0f-%8.0f %9.1f %9.1f %7.0f %6.2f (%.2f-%.2f)%n",
        name,
        rates[rates.length / 2],
        rates[rates.length / 4],
        rates[rates.length * 3 / 4],
        mean.clientMicros(),
        mean.serverMicros(),
        mean.walBytes(),
        ratios[ratios.length / 2],
        ratios[ratios.length / 4],
        ratios[ratios.length * 3 / 4]);
  }

  @Override
  public void close() throws Exception {
    submitter.close();
    notifier.close();
    database.close();
    bare.close();
  }
}
