package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.Grants;
import dev.ebb.db.Proof;
import dev.ebb.db.Sabotage;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.stats.Attempts;
import dev.ebb.db.submit.Submitted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A hundred workers that poll two APIs, while all of them and the database are killed. Longer by
 * {@code -Debb.soak=PT10M}, the same again by the printed seed and {@code -Debb.seed}.
 */
@Proof
class PolledKillTest {
  private static final Duration LENGTH = Duration.parse(System.getProperty("ebb.soak", "PT75S"));
  private static final long SEED = Long.getLong("ebb.seed", System.nanoTime());
  private static final RateLimit LIMIT = RateLimit.of(30, Duration.ofSeconds(10), 3);
  private static final int PROCESSES = 4;
  private static final int WORKERS = 25;
  private static final int BACKLOG = 300;
  private static final RetryPolicy POLICY =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ZERO, new Growth(Duration.ofMillis(50), 2, Duration.ofMillis(500))),
          1000);

  private final TestPostgres postgres = TestPostgres.start();
  private final DatabaseConfig database = postgres.newDatabase();
  private final Bench bench = new Bench(database);
  private final Random random = new Random(SEED);
  private final List<NodeProcess> apis = new ArrayList<>();
  private final List<Process> pollers = new ArrayList<>();
  private final Set<UUID> acknowledged = Collections.synchronizedSet(new HashSet<>());
  private final CountDownLatch over = new CountDownLatch(1);
  private Balancer balancer;
  private Path folder;
  private int started;
  private int kills;

  @BeforeEach
  void start() throws Exception {
    folder = Files.createTempDirectory("ebb-pollers");
    balancer = new Balancer();
    startApi();
    startApi();
  }

  @AfterEach
  void stop() throws Exception {
    over.countDown();
    pollers.forEach(Process::destroyForcibly);
    for (NodeProcess api : apis) {
      api.close();
    }
    balancer.close();
    bench.close();
    postgres.close();
  }

  private void startApi() throws Exception {
    NodeProcess api = NodeProcess.start("server", database, Map.of());
    apis.add(api);
    balancer.add(api.port());
  }

  private void startPoller() throws Exception {
    String name = "poller-" + ++started;
    List<String> command =
        Sabotage.java(
            PollingProcess.class,
            balancer.uri("").toString(),
            name,
            "[\"limited\", \"free\"]",
            Integer.toString(WORKERS));
    pollers.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name).toFile())
            .start());
  }

  @Test
  void killed_workers_apis_and_databases_lose_no_job_settle_none_twice_and_keep_the_curve()
      throws Exception {
    Queues queues = new Queues(bench.database);
    queues.put("limited", new QueueSettings(false, null, LIMIT, null), true, Bench.ACT);
    Grants grants = Grants.noted(database, "limited", LIMIT);
    for (int i = 0; i < PROCESSES; i++) {
      startPoller();
    }
    Thread submitter = Thread.ofPlatform().start(this::submitUntilOver);
    long end = System.nanoTime() + LENGTH.toNanos();
    while (System.nanoTime() - end < 0) {
      killOne();
      over.await(1_000 + random.nextInt(2_000), TimeUnit.MILLISECONDS);
    }
    over.countDown();
    submitter.join();
    double claimed = grants.assertNotAbove();
    queues.put("limited", QueueSettings.of(false, null), false, Bench.ACT);
    Await.until("every job has ended", Duration.ofMinutes(5), () -> bench.count("ebb.job") == 0);

    check(claimed);
  }

  private void killOne() throws Exception {
    kills++;
    switch (random.nextInt(5)) {
      case 0 -> {
        postgres.stop();
        postgres.restart();
      }
      case 1, 2 -> {
        NodeProcess api = apis.remove(random.nextInt(apis.size()));
        balancer.remove(api.port());
        api.close();
        startApi();
      }
      default -> {
        pollers.remove(random.nextInt(pollers.size())).destroyForcibly().waitFor();
        startPoller();
      }
    }
  }

  /** Keeps a backlog in each queue, as large on a slow machine as on a fast one. */
  private void submitUntilOver() {
    try {
      while (!over.await(200, TimeUnit.MILLISECONDS)) {
        try {
          fill("limited");
          fill("free");
        } catch (SQLException notAcknowledged) {
          // Whoever submits it again has another job.
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void fill(String queue) throws SQLException {
    int missing = BACKLOG - (int) bench.count("ebb.job where queue = '" + queue + "'");
    if (missing > 0) {
      NewJob job = NewJob.builder("report", "{}").queue(queue).policy(POLICY).build();
      bench.jobs.submit(Collections.nCopies(missing, job)).stream()
          .map(Submitted::id)
          .forEach(acknowledged::add);
    }
  }

  private void check(double claimed) throws Exception {
    List<String> lines = lines();
    Set<UUID> completed =
        new HashSet<>(
            Attempts.ids(database, "select id from ebb.every_history where not cancelled"));
    List<String> told = lines.stream().filter(line -> line.endsWith(" completed")).toList();
    long refused = lines.stream().filter(line -> line.startsWith("refused ")).count();
    System.out.printf(
        "%s of %s workers, seed %s: %s kills, %s jobs, %s claims of the limited queue,"
            + " %s told as completed, %s results refused%n",
        LENGTH,
        PROCESSES * WORKERS,
        SEED,
        kills,
        acknowledged.size(),
        claimed,
        told.size(),
        refused);

    assertThat(completed).as("lost").containsAll(acknowledged);
    assertThat(Attempts.settledTwice(database)).as("settled twice").isEmpty();
    assertThat(Attempts.misnumbered(database)).as("misnumbered").isEmpty();
    assertThat(told).as("told twice that it is completed").doesNotHaveDuplicates();
    Set<UUID> run =
        lines.stream()
            .filter(line -> line.startsWith("started ") && line.length() > 44)
            .map(line -> UUID.fromString(line.substring(8, 44)))
            .collect(Collectors.toSet());
    assertThat(run).as("completed without being run").containsAll(completed);
    assertThat(refused).as("results that came too late").isPositive();
  }

  private List<String> lines() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      List<String> lines = new ArrayList<>();
      for (Path file : files.toList()) {
        lines.addAll(Files.readAllLines(file));
      }
      return lines;
    }
  }
}
