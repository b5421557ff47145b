package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a node takes back what expired: at once, or after the owners had time to renew. */
class RescuerTest {
  /** The owners of such leases get 21 seconds. */
  private static final Duration LONG = Duration.ofMinutes(1);

  /** The owners of such leases get three seconds. */
  private static final Duration SHORT = Duration.ofSeconds(3);

  private WorkerBench bench;

  @BeforeEach
  void open() throws SQLException {
    bench = new WorkerBench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void claim(int jobs, int leases) throws SQLException {
    for (int lease = 0; lease < leases; lease++) {
      bench.jobs.submit(Collections.nCopies(jobs, NewJob.of(WorkerBench.KIND, "{}")));
      List<String> kinds = List.of(WorkerBench.KIND);
      bench.jobs.claim(ClaimRequest.of(NewJob.DEFAULT_QUEUE, "dead", kinds, jobs, LONG));
    }
  }

  private void expire() throws SQLException {
    bench.execute("update ebb.lease set expires_at = now() - interval '1 second'");
  }

  private Rescuer rescuer(Duration lease) {
    Meters meters = new Meters(bench.meters, new Slots(1, 1 << 20, false));
    return new Rescuer(bench.jobs, lease, _ -> {}, meters);
  }

  private static void awaitOwners(Rescuer rescuer) throws Exception {
    long start = System.nanoTime();
    Await.until(
        "owners had their time",
        () -> {
          rescuer.step();
          return System.nanoTime() - start > SHORT.plusMillis(100).toNanos();
        });
  }

  @Test
  void it_looks_when_the_first_lease_expires_and_at_least_every_five_seconds_or_third_of_a_lease()
      throws SQLException {
    assertThat(rescuer(LONG).step()).isEqualTo(Duration.ofSeconds(5));
    assertThat(rescuer(SHORT).step()).isEqualTo(Duration.ofSeconds(1));

    claim(1, 1);
    bench.execute("update ebb.lease set expires_at = clock_timestamp() + interval '4 seconds'");

    assertThat(rescuer(LONG).step()).isBetween(Duration.ofSeconds(1), Duration.ofMillis(4_001));
    bench.execute("update ebb.lease set length_micros = 1500000");
    assertThat(rescuer(LONG).step()).as("one that is shorter").isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void a_node_that_starts_lets_owners_renew_first() throws SQLException {
    claim(1, 1);
    expire();

    assertThat(rescuer(LONG).step()).isPositive();

    assertThat(bench.count("ebb.lease")).isEqualTo(1);
  }

  @Test
  void a_node_that_had_the_database_all_the_time_rescues_at_once_and_many_leases_in_one_step()
      throws Exception {
    claim(1, 30);
    Rescuer rescuer = rescuer(SHORT);
    awaitOwners(rescuer);
    expire();

    rescuer.step();

    assertThat(bench.count("ebb.lease")).isZero();
  }

  @Test
  void a_step_rescues_no_more_than_five_hundred_jobs_or_one_lease() throws Exception {
    claim(400, 3);
    Rescuer rescuer = rescuer(SHORT);
    awaitOwners(rescuer);
    expire();

    rescuer.step();

    assertThat(bench.count("ebb.lease")).isEqualTo(2);
  }

  @Test
  void leases_of_which_a_stranger_has_locked_a_job_keep_no_other_from_a_rescue() throws Exception {
    claim(400, 1);
    claim(400, 1);
    try (Connection stranger = TestPostgres.connect(bench.config);
        Statement statement = stranger.createStatement()) {
      stranger.setAutoCommit(false);
      statement.execute("select from ebb.job for update");
      claim(10, 1);
      Rescuer rescuer = rescuer(SHORT);
      awaitOwners(rescuer);
      expire();

      Await.until(
          "the others are rescued",
          Duration.ofSeconds(30),
          () -> {
            rescuer.step();
            return bench.count("ebb.attempt where failure_reason = 'worker_lost'") == 10;
          });
    }
  }

  @Test
  void a_node_that_had_lost_the_server_lets_owners_renew_first() throws Exception {
    claim(1, 1);
    Rescuer rescuer = rescuer(SHORT);
    awaitOwners(rescuer);
    bench.execute("alter table ebb.lease rename to gone");
    assertThatThrownBy(rescuer::step).isInstanceOf(SQLException.class);
    bench.execute("alter table ebb.gone rename to lease");
    expire();

    rescuer.step();

    assertThat(bench.count("ebb.lease")).isEqualTo(1);
  }

  @Test
  void a_lease_that_ends_further_ahead_than_it_is_long_is_brought_near() throws Exception {
    claim(1, 1);
    bench.execute("update ebb.lease set expires_at = expires_at + interval '1 hour'");

    rescuer(LONG).step();

    assertThat(
            bench.count(
                "ebb.lease where expires_at - clock_timestamp()"
                    + " between interval '30 seconds' and interval '1 minute'"))
        .isEqualTo(1);
  }

  @Test
  void a_lease_that_was_just_renewed_is_left_as_it_is() throws Exception {
    claim(1, 1);
    bench.execute("update ebb.lease set expires_at = expires_at + interval '900 milliseconds'");
    bench.execute("create table before as select expires_at from ebb.lease");

    rescuer(LONG).step();

    assertThat(bench.count("ebb.lease join before using (expires_at)")).isEqualTo(1);
  }
}
