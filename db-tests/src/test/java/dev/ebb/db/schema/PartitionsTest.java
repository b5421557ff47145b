package dev.ebb.db.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.JobState;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.query.JobFilter;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.claim.ClaimedJob;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PartitionsTest {
  private static final String DAYS =
      "pg_inherits where inhparent = 'ebb.history'::regclass"
          + " and inhrelid::regclass::text ~ '_[0-9]{8}$'";

  private static final int LONGEST_HISTORY = 90;

  /** {@code max_locks_per_transaction} for each connection and each process of the server's own. */
  private static final int LOCKS_BY_DEFAULT = 64 * (100 + 22);

  private Bench bench;
  private Partitions partitions;

  @BeforeEach
  void open() {
    bench = new Bench();
    partitions = new Partitions(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void addDay(String parent, int daysAgo) throws SQLException {
    bench.execute(
        """
        do $$
        declare day date := (now() at time zone 'UTC')::date - DAYS_AGO;
        begin
          execute format('create table ebb.PARENT_%s partition of ebb.PARENT for values from (%L) to (%L)',
            to_char(day, 'YYYYMMDD'), day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
        end $$
        """
            .replace("PARENT", parent)
            .replace("DAYS_AGO", Integer.toString(daysAgo)));
  }

  @Test
  void a_migrated_database_has_the_days_of_the_coming_week() throws SQLException {
    assertThat(bench.count(DAYS)).isEqualTo(8);
  }

  @Test
  void days_that_are_over_are_dropped_and_no_others() throws SQLException {
    addDay("history", 15);
    addDay("history", 14);
    addDay("attempt", 16);

    rollOn();

    assertThat(bench.count(DAYS)).isEqualTo(9);
    assertThat(bench.count("pg_inherits where inhparent = 'ebb.attempt'::regclass")).isEqualTo(9);
  }

  @Test
  void attempts_may_be_kept_for_fewer_days_than_the_jobs_that_ended() throws SQLException {
    for (int daysAgo : List.of(15, 14, 4, 3)) {
      addDay("history", daysAgo);
      addDay("attempt", daysAgo);
    }

    rollOn(14, 3);

    assertThat(bench.count(DAYS)).isEqualTo(8 + 3);
    assertThat(bench.count(DAYS.replace("history", "attempt"))).isEqualTo(8 + 1);
    assertThat(
            bench.count(
                "ebb.attempts_kept_from() k"
                    + " where k = date_trunc('day', now() - interval '3 days', 'UTC')"))
        .isOne();
  }

  @Test
  void strays_of_attempts_are_kept_for_as_many_days_as_attempts() throws SQLException {
    bench.execute(
        """
        insert into ebb.attempt_stray (job_id, started_at, ended_at, number, outcome, node)
        select uuidv7(), now(), now() - days * interval '1 day', 1, 'failed', 'n'
        from generate_series(1, 9) days
        """);

    rollOn(14, 3);

    assertThat(bench.count("ebb.attempt_stray")).isEqualTo(2);
    assertThat(
            bench.count(
                "ebb.attempts_kept_from() k where k = (select min(ended_at) from"
                    + " ebb.attempt_stray)"))
        .isOne();
  }

  @Test
  void a_day_that_nobody_made_in_time_is_made_and_its_jobs_are_read_all_the_same()
      throws SQLException {
    bench.execute("drop table ebb.history_" + today());
    bench.execute("drop table ebb.attempt_" + today());
    ClaimedJob claimed = claimed();
    bench.retryAtOnce(claimed);
    ClaimedJob again = bench.claimOne();
    bench.complete(again);
    UUID id = again.job().id();
    assertThat(bench.count("ebb.history_rest")).isOne();

    rollOn();

    assertThat(bench.count(DAYS)).isEqualTo(8);
    assertThat(bench.count("ebb.history_rest")).isZero();
    assertThat(bench.reads.find(id).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
    assertThat(bench.reads.list(JobFilter.ALL, null, 9).jobs()).hasSize(1);
    assertThat(bench.attempts(id)).hasSize(2);
    assertThat(bench.changes.act(id, new JobAction.Cancel(), Bench.ACT))
        .isEqualTo(ActionResult.WRONG_STATE);
  }

  @Test
  void strays_are_moved_and_deleted_by_age_in_pieces_beside_settles_of_their_day()
      throws SQLException {
    bench.execute("drop table ebb.history_" + today());
    addStrays(25_000, 20);
    addStrays(5_000, 0);

    int steps = 0;
    while (partitions.roll(Retention.of(14)) == Partitions.Step.MORE) {
      steps++;
      assertThat(bench.complete(claimed())).isTrue();
    }

    assertThat(steps).isEqualTo(5);
    assertThat(bench.count("ebb.every_history")).isEqualTo(5_000 + steps);
    assertThat(bench.count("ebb.history_rest")).isZero();
    assertThat(bench.count(DAYS)).isEqualTo(8);
  }

  @Test
  void with_the_longest_history_sixteen_reads_leave_locks_to_claims() throws SQLException {
    for (int daysAgo = 1; daysAgo <= LONGEST_HISTORY; daysAgo++) {
      addDay("history", daysAgo);
      addDay("attempt", daysAgo);
    }
    try (Connection reader = TestPostgres.connect(bench.config);
        Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("select * from ebb.every_job where id = gen_random_uuid()");
      try (ResultSet row =
          statement.executeQuery(
              "select count(*) from pg_locks where pid = pg_backend_pid() and not fastpath")) {
        row.next();
        assertThat(row.getLong(1)).isPositive().isLessThan(LOCKS_BY_DEFAULT / 16);
      }
    }
  }

  private void addStrays(int jobs, int daysAgo) throws SQLException {
    bench.execute(
        """
        insert into ebb.history_rest (
          ended_at, id, run_at, created_at, attempt, max_attempts, priority, cancelled, queue, kind)
        select now() - make_interval(days => DAYS_AGO), gen_random_uuid(), now(), now(), 1, 1, 0,
          false, 'q', 'k'
        from generate_series(1, JOBS)
        """
            .replace("JOBS", Integer.toString(jobs))
            .replace("DAYS_AGO", Integer.toString(daysAgo)));
  }

  /** Until nothing is left. */
  private void rollOn() throws SQLException {
    rollOn(14, 14);
  }

  private void rollOn(int days, int attemptDays) throws SQLException {
    while (partitions.roll(new Retention(days, attemptDays)) != Partitions.Step.DONE) {
      assertThat(partitions.roll(new Retention(days, attemptDays)))
          .isNotEqualTo(Partitions.Step.BUSY);
    }
  }

  @Test
  void a_long_read_of_the_history_puts_a_drop_off_and_keeps_no_settle_waiting()
      throws SQLException {
    addDay("history", 20);
    try (Connection reader = TestPostgres.connect(bench.config);
        Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("select count(*) from ebb.history");

      assertThat(partitions.roll(Retention.of(14))).isEqualTo(Partitions.Step.BUSY);
      assertThat(bench.complete(claimed())).isTrue();
      reader.rollback();
    }
    rollOn();
    assertThat(bench.count(DAYS)).isEqualTo(8);
  }

  private ClaimedJob claimed() throws SQLException {
    bench.submitOne();
    return bench.claimOne();
  }

  private String today() throws SQLException {
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select to_char(now() at time zone 'UTC', 'YYYYMMDD')")) {
      row.next();
      return row.getString(1);
    }
  }
}
