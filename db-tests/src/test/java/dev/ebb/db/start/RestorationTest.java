package dev.ebb.db.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.access.Act;
import dev.ebb.db.Bench;
import dev.ebb.db.event.EventBatch;
import dev.ebb.db.event.EventLog;
import dev.ebb.db.event.EventNeeds;
import dev.ebb.db.event.EventPosition;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RestorationTest {
  private static final Act ACT = Act.onMachine("./ebb restored");
  private static final EventNeeds ALL = new EventNeeds(true, true);

  private Bench bench;
  private EventLog events;

  @BeforeEach
  void open() {
    bench = new Bench();
    events = new EventLog(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Restoration.Report restored() throws SQLException {
    return Restoration.restored(bench.config, ACT);
  }

  /** As a dump from a server whose transactions are a few ahead of this one's. */
  private EventPosition eventsOfAnotherServer() throws SQLException {
    events.listen();
    EventPosition before = events.now();
    bench.submitOne();
    bench.complete(bench.claimOne());
    bench.execute("update ebb.event set xact = (xact::text::bigint + 20)::text::xid8");
    return before;
  }

  private void useTransactions(int many) throws SQLException {
    for (int i = 0; i < many; i++) {
      bench.execute("select pg_current_xact_id()");
    }
  }

  @Test
  void events_of_another_server_are_told_to_nobody_and_its_places_are_not_taken_for_valid()
      throws SQLException {
    EventPosition before = eventsOfAnotherServer();
    restored();
    events.listen();
    EventPosition now = events.now();
    useTransactions(30);

    assertThat(events.after(before, ALL).torn()).isTrue();
    assertThat(events.after(now, ALL).events()).isEmpty();
    bench.submitOne();
    bench.complete(bench.claimOne());
    assertThat(events.after(now, ALL).events()).hasSize(1);
  }

  /** The control: that the numbers are not there yet keeps them back for a moment alone. */
  @Test
  void without_it_they_are_told_once_the_server_has_come_to_their_transactions()
      throws SQLException {
    EventPosition before = eventsOfAnotherServer();
    useTransactions(30);

    EventBatch told = events.after(before, ALL);
    assertThat(told.torn()).isFalse();
    assertThat(told.events()).hasSize(1);
  }

  @Test
  void the_start_is_paused_even_if_people_resumed_it_before_the_restore() throws SQLException {
    PausedStart start = new PausedStart(bench.database);
    start.pause(ACT);
    start.resume(Bench.ACT);

    restored();

    assertThat(start.read().isPaused()).isTrue();
    assertThat(start.read().pausedBy()).isEqualTo("./ebb restored");
  }

  @Test
  void what_is_there_is_told() throws SQLException {
    for (int i = 0; i < 5; i++) {
      bench.submitOne();
    }
    bench.claim(2);

    Restoration.Report report = restored();

    assertThat(report.leases()).isOne();
    assertThat(report.leasedJobs()).isEqualTo(2);
    assertThat(report.dueJobs()).isEqualTo(5);
    assertThat(report.lateSchedules()).isZero();
    assertThat(report.firstMissed()).isNull();
    assertThat(report.operations()).isZero();
    assertThat(report.behind()).isEmpty();
  }

  @Test
  void a_sequence_that_is_behind_its_table_is_advanced() throws SQLException {
    bench.execute(
        "insert into ebb.session_key (secret) select sha256('a') from generate_series(1, 7)");
    bench.execute("select setval('ebb.session_key_id_seq', 3)");

    assertThat(restored().behind()).containsExactly("ebb.session_key_id_seq");
    assertThat(restored().behind()).isEmpty();
    bench.execute("insert into ebb.session_key (secret) values (sha256('a'))");
    assertThat(bench.count("ebb.session_key where id = 8")).isOne();
  }

  @Test
  void an_older_schema_is_left_as_it_is_and_not_confirmed() throws SQLException {
    bench.execute("drop table ebb.start");
    bench.execute("update ebb.identity set system_identifier = 1");

    assertThatThrownBy(this::restored).hasMessageContaining("./ebb migrate");

    assertThat(bench.count("ebb.identity where system_identifier = 1")).isOne();
  }
}
