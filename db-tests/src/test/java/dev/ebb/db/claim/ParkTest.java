package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.JobQueue;
import dev.ebb.db.Sabotage;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of jobs that wait for their ordering key while others have rows locked. */
class ParkTest {
  private static final String PARKED =
      "ebb.job where ebb.is_held(blocked_version, version, held_until)";

  private Bench bench;
  private Connection other;

  @BeforeEach
  void open() throws SQLException {
    bench = new Bench();
    other = TestPostgres.connect(bench.config);
    other.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    other.close();
    bench.close();
  }

  private static String withoutHeadLock(String sql) {
    return sql.lines().filter(line -> !line.endsWith("-- head")).reduce("", ParkTest::line);
  }

  private static String line(String before, String line) {
    return before + line + "\n";
  }

  private UUID submit() throws SQLException {
    return submit(bench.jobs);
  }

  private static UUID submit(JobQueue jobs) throws SQLException {
    return jobs.submit(List.of(NewJob.builder("echo", "{}").orderingKey("a").build()))
        .getFirst()
        .id();
  }

  private List<ClaimedJob> claim() throws SQLException {
    return bench.tryClaim(100).map(Lease::jobs).orElse(List.of());
  }

  private ClaimedJob claimOnly(UUID id) throws SQLException {
    List<ClaimedJob> claimed = claim();
    assertThat(claimed).extracting(one -> one.job().id()).containsExactly(id);
    return claimed.getFirst();
  }

  private void execute(String sql, UUID id) throws SQLException {
    execute(other, sql, id);
  }

  private static void execute(Connection connection, String sql, UUID id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql + " where id = '" + id + "'");
    }
  }

  private void lock(UUID id) throws SQLException {
    try (Statement statement = other.createStatement()) {
      statement.execute("select from ebb.job where id = '" + id + "' for update");
    }
  }

  /** Ends a job while a claim meets the one behind it; prints how many are claimed then. */
  public static void main(String[] args) throws Exception {
    Bench bench = new Bench(DatabaseConfig.of(args[0], "postgres", "postgres"));
    try (bench;
        Connection ending = TestPostgres.connect(bench.config)) {
      UUID first = submit(bench.jobs);
      bench.claimOne();
      submit(bench.jobs);
      ending.setAutoCommit(false);
      execute(ending, "delete from ebb.job", first);
      int before = bench.tryClaim(10).map(lease -> lease.jobs().size()).orElse(0);
      ending.commit();
      int after = bench.tryClaim(10).map(lease -> lease.jobs().size()).orElse(0);
      System.out.println(before + " " + after);
    }
  }

  @Test
  void nothing_is_parked_behind_a_job_that_ends_at_this_moment() throws Exception {
    List<String> command = Sabotage.java(ParkTest.class, bench.config.url());

    assertThat(Sabotage.lastLine(command)).isEqualTo("0 1");
  }

  @Test
  void control_without_the_lock_of_the_head_a_job_waits_for_ever() throws Exception {
    List<String> command =
        Sabotage.javaWith(
            List.of(Park.class), ParkTest::withoutHeadLock, ParkTest.class, bench.config.url());

    assertThat(Sabotage.lastLine(command)).isEqualTo("0 0");
  }

  @Test
  void a_job_ends_although_somebody_has_the_next_one_locked() throws SQLException {
    UUID first = submit();
    UUID second = submit();
    UUID third = submit();
    ClaimedJob running = claimOnly(first);
    assertThat(claim()).isEmpty();
    lock(second);

    assertThat(bench.complete(running)).isTrue();

    assertThat(claim()).isEmpty();
    other.rollback();
    assertThat(claim()).as("wakes the one that had its turn").isEmpty();
    bench.complete(claimOnly(second));
    claimOnly(third);
  }

  @Test
  void a_job_whose_only_follower_somebody_has_locked_ends_once_it_is_free() throws SQLException {
    UUID first = submit();
    UUID second = submit();
    ClaimedJob running = claimOnly(first);
    assertThat(claim()).isEmpty();
    lock(second);

    assertThatThrownBy(() -> bench.complete(running))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(SqlStates.isLocked(e)).isTrue());
    other.rollback();

    assertThat(bench.complete(running)).isTrue();
    claimOnly(second);
  }

  @Test
  void the_one_behind_goes_on_if_the_next_one_is_taken_away_at_the_same_moment()
      throws SQLException {
    UUID first = submit();
    UUID second = submit();
    UUID third = submit();
    submit();
    ClaimedJob running = claimOnly(first);
    assertThat(claim()).isEmpty();
    execute("delete from ebb.job", second);

    bench.complete(running);
    other.commit();

    claimOnly(third);
  }

  @Test
  void the_one_behind_goes_on_if_two_before_it_are_taken_away_and_a_claim_comes_in_between()
      throws SQLException {
    UUID first = submit();
    UUID second = submit();
    bench.changes.act(first, new JobAction.Hold(null), Bench.ACT);
    execute("delete from ebb.job", second);
    UUID third = submit();
    assertThat(claim()).isEmpty();
    assertThat(bench.count(PARKED)).as("behind the first").isPositive();

    bench.changes.act(first, new JobAction.Cancel(), Bench.ACT);
    other.commit();

    claimOnly(third);
  }
}
