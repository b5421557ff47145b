package dev.ebb.db.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Act;
import dev.ebb.db.Bench;
import dev.ebb.db.connection.Confirmation;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PausedStartTest {
  private static final Act NODE = Act.onMachine("EBB_START=paused on a");

  private Bench bench;
  private PausedStart start;

  @BeforeEach
  void open() {
    bench = new Bench();
    start = new PausedStart(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void a_start_is_paused_by_the_first_that_says_so_until_people_resume_it() throws SQLException {
    assertThat(start.read()).isEqualTo(StartState.NEVER_PAUSED);

    StartState paused = start.pause(NODE);
    StartState again = start.pause(Act.onMachine("EBB_START=paused on b"));

    assertThat(paused.isPaused()).isTrue();
    assertThat(paused.pausedBy()).isEqualTo("EBB_START=paused on a");
    assertThat(again).isEqualTo(paused);
    assertThat(start.resume(Bench.ACT).isPaused()).isFalse();
    assertThat(start.read().resumedAt()).isNotNull();
  }

  @Test
  void a_node_that_starts_again_does_not_pause_what_people_resumed() throws SQLException {
    start.pause(NODE);
    start.resume(Bench.ACT);

    assertThat(start.pause(NODE).isPaused()).isFalse();
  }

  @Test
  void what_is_confirmed_anew_can_be_paused_anew() throws SQLException {
    start.pause(NODE);
    start.resume(Bench.ACT);
    Confirmation.confirm(bench.config);

    assertThat(start.pause(NODE).isPaused()).isTrue();
  }

  /** The clock of the server that a dump came from may have been ahead. */
  @Test
  void a_resumption_that_a_dump_brought_from_the_future_does_not_outlast_a_confirmation()
      throws SQLException {
    start.pause(NODE);
    start.resume(Bench.ACT);
    bench.execute(
        "update ebb.identity set confirmed_at = confirmed_at + interval '1 day';"
            + " update ebb.start set resumed_of = (select confirmed_at from ebb.identity),"
            + " resumed_at = resumed_at + interval '1 day'");
    Confirmation.confirm(bench.config);

    assertThat(start.pause(NODE).isPaused()).isTrue();
  }

  @Test
  void the_audit_has_what_changed_something_alone() throws SQLException {
    start.resume(Bench.ACT);
    start.pause(NODE);
    start.pause(NODE);
    start.resume(Bench.ACT);
    start.resume(Bench.ACT);

    assertThat(bench.count("ebb.audit where subject = 'start'")).isEqualTo(2);
    assertThat(bench.count("ebb.audit where action = 'start.pause' and actor like '%paused on a'"))
        .isOne();
    assertThat(bench.count("ebb.audit where action = 'start.resume' and actor = 'test'")).isOne();
  }
}
