package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.Bench;
import dev.ebb.db.JobQueue;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.FreezingProxy;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.settle.Rescue;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that is stopped at the worst instant, and the others. */
@Proof
class FrozenNodeTest {
  private static final Duration SOON = Duration.ofSeconds(3);
  private static final Duration AMPLE = Duration.ofMinutes(1);

  private static final String FROZEN =
      "pg_stat_activity where datname = current_database() and state = 'idle in transaction'";

  /** Together 54 MB: more than the sockets on the way can hold, and a container's proxy has two. */
  private static final int JOBS = 900;

  private static final String LARGE = "\"" + "x".repeat(60_000) + "\"";

  private static final String QUEUE_LOCKS =
      "pg_locks where locktype = 'advisory' and classid = 6644322 and objsubid = 2 and granted"
          + " and database = (select oid from pg_database where datname = current_database())";

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void a_node_that_freezes_while_it_rescues_soon_leaves_the_jobs_to_others() throws Exception {
    assertThat(rescuedBesideOneThatFroze(bench.config, AMPLE)).isEqualTo(1);
  }

  @Test
  void control_without_the_sessions_timeouts_it_keeps_them() throws Exception {
    assertThat(rescuedBesideOneThatFroze(bench.config.behindPooler(), SOON)).isZero();
  }

  private int rescuedBesideOneThatFroze(DatabaseConfig config, Duration atMost) throws Exception {
    bench.submitOne();
    bench.claimOne();
    bench.expireLeases();
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    try (Database database = TestPostgres.open(config)) {
      Thread frozen = Thread.ofVirtual().start(() -> rescueAndFreeze(database, locked, over));
      assertThat(locked.await(AMPLE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      int rescued = 0;
      long deadline = System.nanoTime() + atMost.toNanos();
      while (rescued == 0 && System.nanoTime() < deadline) {
        rescued = bench.rescueAll();
        // What was rescued was not locked any more.
        assertThat(rescued == 0 || bench.count(FROZEN) == 0).isTrue();
      }
      over.countDown();
      frozen.join();
      return rescued;
    }
  }

  private static void rescueAndFreeze(
      Database database, CountDownLatch locked, CountDownLatch over) {
    try (Connection connection = database.connection()) {
      connection.setAutoCommit(false);
      Rescue.expired(connection, 5, Instant.now());
      locked.countDown();
      over.await();
    } catch (SQLException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_node_that_freezes_between_permits_and_claim_does_not_keep_the_queue_lock()
      throws Exception {
    claimBesideOneThatHasTheLock(bench.config);
  }

  @Test
  void control_without_the_sessions_timeouts_it_keeps_the_lock() throws Exception {
    assertThatThrownBy(() -> claimBesideOneThatHasTheLock(bench.config.behindPooler()))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("timeout");
  }

  private void claimBesideOneThatHasTheLock(DatabaseConfig config) throws Exception {
    RateLimit limit = RateLimit.of(100, Duration.ZERO, 1);
    new Queues(bench.database)
        .put(Bench.QUEUE, new QueueSettings(false, null, limit, null), true, Bench.ACT);
    bench.submitOne();
    try (Database database = Database.open(config);
        Connection frozen = database.dedicatedConnection()) {
      frozen.setAutoCommit(false);
      var _ = Limiters.lock(frozen, Bench.QUEUE, new Patience(SOON, SOON), true);

      ClaimAnswer answer = new Claimer(bench.database).claim(request(), List.of());

      assertThat(answer.lease()).isPresent();
    }
  }

  @Test
  void a_node_that_freezes_while_it_is_given_a_batch_does_not_keep_the_queue_lock()
      throws Exception {
    claimBesideOneThatFroze(false);
  }

  @Test
  void control_without_the_timeout_of_its_connection_it_keeps_the_lock() throws Exception {
    assertThatThrownBy(() -> claimBesideOneThatFroze(true))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("timeout");
  }

  /** A claim waits for the lock as long as a statement may take, which is five seconds. */
  private void claimBesideOneThatFroze(boolean withoutTimeouts) throws Exception {
    bench.jobs.submit(Collections.nCopies(JOBS, NewJob.of("echo", LARGE)));
    try (FreezingProxy proxy = new FreezingProxy(TestPostgres.shared().port());
        Database database = TestPostgres.open(through(proxy, withoutTimeouts))) {
      proxy.freeze();
      Thread frozen = Thread.ofVirtual().start(() -> claimInVain(new JobQueue(database)));
      bench.awaitRow(QUEUE_LOCKS, AMPLE);
      try {
        bench.jobs.claim(request());
      } finally {
        proxy.close();
        frozen.join();
      }
    }
  }

  private DatabaseConfig through(FreezingProxy proxy, boolean withoutTimeouts) {
    String url = bench.config.url().replace(":" + TestPostgres.shared().port(), ":" + proxy.port());
    DatabaseConfig there = bench.config.withUrl(url).withPoolSize(2);
    return withoutTimeouts ? there.behindPooler() : there;
  }

  private static void claimInVain(JobQueue jobs) {
    try {
      jobs.claim(request());
    } catch (SQLException e) {
      // Its connection is closed at last.
    }
  }

  private static ClaimRequest request() {
    return ClaimRequest.of(Bench.QUEUE, "node", List.of("echo"), JOBS, Bench.LEASE);
  }
}
