package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Await;
import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The database's clock steps while worker processes hold jobs, and one of them is killed. */
@Proof
class ClockStepTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  /** The step is seen within a third of a lease, and then a lease is as long as any. */
  private static final Duration LATEST = LEASE.multipliedBy(4).dividedBy(3).plusSeconds(1);

  /** A node of 200 slots gives a queue at most half of them: each of two has some of these. */
  private static final int JOBS = 160;

  private static final NewJob JOB =
      NewJob.builder(WorkerBench.KIND, "{}").policy(WorkerBench.QUICK).build();

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "-PT1H", "-P1D"})
  void a_step_rescues_no_live_workers_jobs_and_a_dead_ones_within_four_thirds_of_a_lease(
      Duration step) throws Exception {
    assumeTrue(SteppingPostgres.isAvailable(), "it takes a container engine and libfaketime");
    Judged.holds(
        "how soon a dead worker's jobs are back after a step of " + step,
        TestPostgres.shared().config("postgres"),
        _ -> {
          try (SteppingPostgres postgres = new SteppingPostgres(step);
              Scenario scenario = new Scenario(postgres)) {
            return scenario.run();
          }
        });
  }

  private static final class Scenario implements AutoCloseable {
    private final SteppingPostgres postgres;
    private final WorkerBench bench;
    private final Merchant merchant = new Merchant(0, Duration.ofNanos(1));
    private final Cluster cluster;

    Scenario(SteppingPostgres postgres) throws Exception {
      this.postgres = postgres;
      this.bench = new WorkerBench(postgres.config());
      this.cluster = new Cluster(bench.config, merchant.url(), LEASE, Cluster.Guards.ALL);
    }

    Optional<AssertionError> run() throws Exception {
      merchant.hold();
      Cluster.Member dead = cluster.start();
      Cluster.Member live = cluster.start();
      bench.jobs.submit(Collections.nCopies(JOBS, JOB));
      Await.until("all jobs run", () -> merchant.callsInAll() == JOBS);
      Set<UUID> kept = heldBy(live);
      Set<UUID> orphans = heldBy(dead);
      assertThat(kept).isNotEmpty();
      assertThat(orphans).isNotEmpty();

      postgres.step();
      cluster.kill(dead);
      long killed = System.nanoTime();
      Await.until("the dead one's jobs are back", () -> heldBy(dead).isEmpty());
      Duration took = Duration.ofNanos(System.nanoTime() - killed);

      assertThat(heldBy(live)).containsAll(kept);
      merchant.release();
      Await.until("all jobs have ended", () -> bench.count("ebb.job") == 0);
      assertThat(bench.count("ebb.history where not cancelled")).isEqualTo(JOBS);
      assertThat(kept).allSatisfy(job -> assertThat(merchant.calls(job)).hasSize(1));
      assertThat(orphans).allSatisfy(job -> assertThat(merchant.calls(job)).hasSize(2));
      return Judged.missed(() -> assertThat(took).isLessThan(LATEST));
    }

    private Set<UUID> heldBy(Cluster.Member member) throws SQLException {
      try (Connection connection = bench.database.connection();
          PreparedStatement statement =
              connection.prepareStatement("select id from ebb.leased where node = ?")) {
        statement.setString(1, member.name());
        Set<UUID> jobs = new HashSet<>();
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next()) {
            jobs.add(rows.getObject(1, UUID.class));
          }
        }
        return jobs;
      }
    }

    @Override
    public void close() {
      cluster.close();
      merchant.close();
      bench.close();
    }
  }
}
