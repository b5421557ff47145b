package dev.ebb.db.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Await;
import dev.ebb.db.JobQueue;
import dev.ebb.db.PostgresPair;
import dev.ebb.db.PostgresPair.Side;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.Vital;
import dev.ebb.db.schema.Migrations;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** After a promotion, the old primary is started again as it was, and the URL names it first. */
@Vital
class OldPrimaryTest {
  private PostgresPair pair;

  @BeforeEach
  void start() {
    pair = PostgresPair.start();
    Migrations.migrate(pair.both());
  }

  @AfterEach
  void stop() {
    pair.close();
  }

  private void failOver() {
    pair.kill(Side.A);
    pair.promote(Side.B);
  }

  @Test
  void no_node_writes_to_it_neither_one_that_runs_nor_one_that_starts() throws Exception {
    try (Database running = TestPostgres.open(pair.both())) {
      submit(running);
      awaitReplicated(1);
      failOver();
      Await.until("the node goes over", () -> submits(running));
      pair.start(Side.A);
      long before = jobs(Side.A);

      try (Database starting = TestPostgres.open(pair.both())) {
        submit(starting);
        for (int cuts = 0; cuts < 5; cuts++) {
          pair.execute(
              Side.B,
              "select pg_terminate_backend(pid) from pg_stat_activity where application_name ="
                  + " 'ebb'");
          Await.until("both write", () -> submits(running) && submits(starting));
        }
        assertThat(Migrations.migrate(pair.both())).isZero();
        starting.look();
        assertThat(starting.strangers())
            .singleElement()
            .satisfies(old -> assertThat(old.why()).contains("an old primary"));
      }

      assertThat(jobs(Side.A)).isEqualTo(before).isOne();
      assertThat(jobs(Side.B)).isGreaterThanOrEqualTo(12);
    }
  }

  /** The control: what the driver does by itself. */
  @Test
  void the_drivers_own_choice_of_a_primary_writes_to_it() throws Exception {
    failOver();
    pair.start(Side.A);
    DatabaseConfig both = pair.both();
    String url = both.url() + "?targetServerType=primary";
    try (Connection connection = TestPostgres.connect(both.withUrl(url));
        Statement statement = connection.createStatement()) {
      statement.execute("create table public.written ()");
    }

    assertThat(pair.count(Side.A, "pg_tables where tablename = 'written'")).isOne();
    assertThat(pair.count(Side.B, "pg_tables where tablename = 'written'")).isZero();
  }

  @Test
  void a_standby_that_is_promoted_beside_a_primary_that_goes_on_takes_over() throws Exception {
    try (Database database = TestPostgres.open(pair.both())) {
      submit(database);
      awaitReplicated(1);
      pair.promote(Side.B);
      database.look();
      Await.until(
          "the pool goes over",
          () -> {
            submit(database);
            return jobs(Side.B) > 1;
          });
      long before = jobs(Side.A);
      submit(database);

      assertThat(jobs(Side.A)).isEqualTo(before);
      assertThat(Objects.requireNonNull(database.identity()).timeline()).isEqualTo(2);
      assertThat(pair.count(Side.B, "ebb.identity where timeline = 2")).isOne();
    }
  }

  private void awaitReplicated(long jobs) throws Exception {
    Await.until("the standby has it", () -> jobs(Side.B) == jobs);
  }

  private static void submit(Database database) throws SQLException {
    new JobQueue(database).submit(List.of(NewJob.builder("k", "{}").build()));
  }

  private static boolean submits(Database database) {
    try {
      submit(database);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private long jobs(Side side) throws SQLException {
    return pair.count(side, "ebb.job");
  }
}
