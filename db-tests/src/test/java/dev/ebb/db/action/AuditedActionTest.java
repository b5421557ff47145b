package dev.ebb.db.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.JobState;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.audit.AuditEntry;
import dev.ebb.db.audit.AuditFilter;
import dev.ebb.db.audit.AuditReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An action and its entry in the audit: both, or neither. */
class AuditedActionTest {
  private static final Act ADA = new Act("ada", "0a1b2c3d", "192.0.2.7", "sent twice");
  private static final String WAITING =
      "pg_stat_activity where wait_event_type = 'Lock' and query ilike 'insert into ebb.audit%'"
          + " and datname = current_database()";

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private List<AuditEntry> entries(UUID job) throws SQLException {
    AuditFilter filter = AuditFilter.of("job", job.toString(), null);
    return new AuditReads(bench.database).list(filter, 200).entries();
  }

  @Test
  void who_did_what_and_why_is_kept() throws SQLException {
    UUID id = bench.submitOne();

    bench.changes.act(id, new JobAction.Retry(false), Bench.ACT);
    bench.changes.act(id, new JobAction.Cancel(), ADA);

    List<AuditEntry> entries = entries(id);
    assertThat(entries).extracting(AuditEntry::action).containsExactly("job.cancel", "job.retry");
    assertThat(entries.getFirst())
        .isEqualTo(
            new AuditEntry(
                entries.getFirst().id(),
                entries.getFirst().at(),
                ADA,
                "job.cancel",
                id.toString(),
                1,
                List.of()));
  }

  @Test
  void what_changed_nothing_has_no_entry() throws SQLException {
    UUID id = bench.submitOne();
    bench.changes.act(id, new JobAction.Cancel(), ADA);

    assertThat(bench.changes.act(id, new JobAction.Cancel(), ADA)).isEqualTo(ActionResult.DONE);
    assertThat(bench.changes.act(id, new JobAction.Retry(false), ADA))
        .isEqualTo(ActionResult.WRONG_STATE);
    assertThat(bench.changes.act(id, new JobAction.Redrive(true, true), ADA))
        .isEqualTo(ActionResult.WRONG_STATE);
    assertThat(bench.changes.act(UUID.randomUUID(), new JobAction.Cancel(), ADA))
        .isEqualTo(ActionResult.NOT_FOUND);

    assertThat(bench.count("ebb.audit")).isOne();
  }

  @Test
  void without_its_entry_nothing_is_done() throws SQLException {
    UUID id = bench.submitOne();
    bench.execute("alter table ebb.audit add check (actor <> 'ada') not valid");

    assertThatThrownBy(() -> bench.changes.act(id, new JobAction.Cancel(), ADA))
        .isInstanceOf(SQLException.class);

    assertThat(state(id)).isEqualTo(JobState.AVAILABLE);
    assertThat(entries(id)).isEmpty();
  }

  @Test
  void an_action_that_is_killed_before_its_entry_leaves_neither() throws Exception {
    UUID id = bench.submitOne();

    killBeforeTheEntry(() -> bench.changes.act(id, new JobAction.Cancel(), ADA));

    assertThat(state(id)).isEqualTo(JobState.AVAILABLE);
    assertThat(entries(id)).isEmpty();
  }

  @Test
  void control_an_entry_in_a_transaction_of_its_own_is_lost() throws Exception {
    UUID id = bench.submitOne();

    killBeforeTheEntry(() ->
        bench.database.inAutocommit(
            connection -> JobActions.one(connection, id, new JobAction.Cancel(), ADA)));

    assertThat(state(id)).isEqualTo(JobState.CANCELLED);
    assertThat(entries(id)).isEmpty();
  }

  private JobState state(UUID id) throws SQLException {
    return bench.reads.find(id).orElseThrow().state();
  }

  @FunctionalInterface
  private interface Action {
    ActionResult run() throws SQLException;
  }

  /** Kills its session while it waits to write the entry. */
  private void killBeforeTheEntry(Action action) throws Exception {
    try (Connection holder = TestPostgres.connect(bench.config);
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("lock table ebb.audit in exclusive mode");
      CompletableFuture<ActionResult> acting = CompletableFuture.supplyAsync(() -> result(action));
      bench.awaitRow(WAITING, Duration.ofSeconds(30));
      bench.execute("select pg_terminate_backend(pid) from " + WAITING);
      assertThatThrownBy(acting::join).isInstanceOf(CompletionException.class);
      holder.rollback();
    }
  }

  private static ActionResult result(Action action) {
    try {
      return action.run();
    } catch (SQLException e) {
      throw new CompletionException(e);
    }
  }
}
