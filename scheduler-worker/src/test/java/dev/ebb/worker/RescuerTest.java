package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.NewJob;
import dev.ebb.db.ClaimRequest;
import dev.ebb.db.Database;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a node takes back what expired: at once, or after the owners had time to renew. */
class RescuerTest {
  /** The owners of such leases get 21 seconds. */
  private static final Duration LONG = Duration.ofMinutes(1);

  private TestPostgres postgres;
  private WorkerBench bench;

  @BeforeEach
  void open() throws SQLException {
    postgres = TestPostgres.start();
    bench = new WorkerBench(postgres.newDatabase());
    bench.submit("{}");
    List<String> kinds = List.of(WorkerBench.KIND);
    bench.jobs.claim(new ClaimRequest(NewJob.DEFAULT_QUEUE, "dead", kinds, 1, 1 << 20, LONG));
    bench.execute("update ebb.lease set expires_at = now()");
  }

  @AfterEach
  void close() {
    bench.close();
    postgres.close();
  }

  private Rescuer rescuer(Duration lease) {
    return new Rescuer(bench.jobs, lease, _ -> {}, new Meters(bench.meters, new Slots(1, 1 << 20)));
  }

  @Test
  void a_node_that_starts_lets_owners_renew_first_if_all_sessions_are_new() throws SQLException {
    assertThat(rescuer(LONG).step()).isPositive();

    assertThat(bench.count("ebb.lease")).isEqualTo(1);
  }

  @Test
  void a_node_that_starts_rescues_at_once_if_others_had_the_server_all_the_time() throws Exception {
    Duration owners = Duration.ofSeconds(3);
    Await.until("it has been", () -> bench.jobs.reachedFor().compareTo(owners) > 0);

    rescuer(Duration.ofSeconds(3)).step();

    assertThat(bench.count("ebb.lease")).isZero();
  }

  @Test
  void a_node_that_starts_lets_owners_renew_first_if_their_sessions_were_cut() throws Exception {
    Duration owners = Duration.ofSeconds(3);
    Await.until("they are old", () -> bench.jobs.reachedFor().compareTo(owners) > 0);
    bench.database.close();
    try (Database database = Database.open(bench.config)) {
      Meters meters = new Meters(bench.meters, new Slots(1, 1 << 20));
      new Rescuer(new JobQueue(database), owners, _ -> {}, meters).step();
    }

    assertThat(bench.count("ebb.lease")).isEqualTo(1);
  }

  @Test
  void a_node_that_had_lost_the_server_lets_owners_renew_first() throws Exception {
    Duration owners = Duration.ofSeconds(3);
    Await.until("it has been up", () -> bench.jobs.reachedFor().compareTo(owners) > 0);
    Rescuer rescuer = rescuer(Duration.ofSeconds(3));
    bench.execute("alter table ebb.lease rename to gone");
    assertThatThrownBy(rescuer::step).isInstanceOf(SQLException.class);
    bench.execute("alter table ebb.gone rename to lease");

    rescuer.step();

    assertThat(bench.count("ebb.lease")).isEqualTo(1);
  }
}
