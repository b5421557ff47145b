package dev.ebb.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.machine.Target;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules that every peer keeps, so that its figures are figures of the same work. */
abstract class PeerTest {
  private static final int CONCURRENCY = 10;

  private final DatabaseConfig database = TestPostgres.shared().newBareDatabase();
  private final Contender peer =
      peer(
          new Target(
              database.url(),
              Objects.requireNonNull(database.user()),
              Objects.requireNonNull(database.password())));

  abstract Contender peer(Target target);

  @BeforeEach
  void open() throws Exception {
    peer.install();
    peer.open();
  }

  @AfterEach
  void close() throws Exception {
    peer.close();
  }

  @Test
  void every_due_job_runs_exactly_once_and_no_other_runs() throws Exception {
    peer.fill(0, 300, Duration.ZERO);
    peer.fill(300, 310, Duration.ofDays(10));
    for (int number = 310; number < 320; number++) {
      peer.submit(number);
    }

    AtomicIntegerArray runs = run(320, 310, _ -> {});

    assertThat(unfinished()).isEqualTo(10);
    assertThat(countsOf(runs, 0, 300)).containsOnly(1);
    assertThat(countsOf(runs, 300, 310)).containsOnly(0);
    assertThat(countsOf(runs, 310, 320)).containsOnly(1);
  }

  @Test
  void a_job_that_fails_twice_runs_three_times() throws Exception {
    peer.fill(0, 50, Duration.ZERO);

    AtomicIntegerArray runs =
        run(
            50,
            150,
            attempt -> {
              if (attempt < 3) {
                throw new IllegalStateException("as told");
              }
            });

    assertThat(unfinished()).isZero();
    assertThat(countsOf(runs, 0, 50)).containsOnly(3);
    try (Connection connection = TestPostgres.connect(database)) {
      assertThat(peer.failedAttempts(connection).orElse(100)).isEqualTo(100);
      assertThat(peer.succeeded(connection).orElse(50)).isEqualTo(50);
    }
  }

  @Test
  void a_running_node_finds_what_is_submitted() throws Exception {
    CountDownLatch ran = new CountDownLatch(20);

    peer.start(_ -> ran.countDown(), CONCURRENCY);
    for (int number = 0; number < 20; number++) {
      peer.submit(number);
    }

    assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
    peer.stop();
    assertThat(unfinished()).isZero();
  }

  /** Runs a node until so many runs have ended, and gives back how often each number ran. */
  private AtomicIntegerArray run(int numbers, int expected, Contender.Work attempt)
      throws Exception {
    AtomicIntegerArray runs = new AtomicIntegerArray(numbers);
    CountDownLatch ended = new CountDownLatch(expected);
    peer.start(
        number -> {
          try {
            attempt.run(runs.incrementAndGet(number));
          } finally {
            ended.countDown();
          }
        },
        CONCURRENCY);
    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    peer.stop();
    return runs;
  }

  private long unfinished() throws Exception {
    try (Connection connection = TestPostgres.connect(database)) {
      return peer.unfinished(connection);
    }
  }

  private static int[] countsOf(AtomicIntegerArray runs, int from, int to) {
    return IntStream.range(from, to).map(runs::get).toArray();
  }
}
