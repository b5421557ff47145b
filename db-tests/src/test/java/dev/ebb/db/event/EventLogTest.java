package dev.ebb.db.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.query.Phase;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.event.Event.ChangeEvent;
import dev.ebb.db.event.Event.JobEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a reader of events is told, once and without a gap. */
class EventLogTest {
  private static final EventNeeds ALL = new EventNeeds(true, true);
  private static final String END =
      """
      insert into ebb.history (id, run_at, created_at, started_at, attempt, max_attempts,
        priority, cancelled, queue, kind)
      select uuidv7(), now(), now(), now(), 1, 3, 5, true, '%s', 'echo'
      from generate_series(1, %s)
      """;

  private Bench bench;
  private EventLog events;
  private EventPosition position;

  @BeforeEach
  void open() throws SQLException {
    bench = new Bench();
    events = new EventLog(bench.database);
    events.listen();
    position = events.now();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private List<Event> news() throws SQLException {
    EventBatch batch = events.after(position, ALL);
    position = batch.position();
    return batch.events();
  }

  private JobEvent onlyJob() throws SQLException {
    List<Event> news = news();
    assertThat(news).singleElement().isInstanceOf(JobEvent.class);
    return (JobEvent) news.getFirst();
  }

  private static List<String> queues(List<Event> events) {
    return events.stream().map(event -> ((JobEvent) event).facts().queue()).toList();
  }

  private void end(String queue, int jobs) throws SQLException {
    bench.execute(END.formatted(queue, jobs));
  }

  @Test
  void a_job_that_ends_is_told_once() throws SQLException {
    UUID id =
        bench.submit(NewJob.builder("echo", "{}").uniqueKey("k").labels(Map.of("m", "x")).build());
    assertThat(news()).as("a submit is none").isEmpty();
    bench.complete(bench.claimOne());

    JobEvent told = onlyJob();
    assertThat(told.outcome()).isEqualTo("completed");
    assertThat(told.facts().id()).isEqualTo(id);
    assertThat(told.facts().phase()).isEqualTo(Phase.COMPLETED);
    assertThat(told.facts().queue()).isEqualTo(Bench.QUEUE);
    assertThat(told.facts().uniqueKey()).isEqualTo("k");
    assertThat(told.facts().labels()).containsExactly(Map.entry("m", "x"));
    assertThat(told.facts().attempts()).isOne();
    assertThat(news()).isEmpty();
  }

  @Test
  void a_failed_attempt_is_told_with_its_job_wherever_that_is_by_then() throws SQLException {
    UUID id = bench.submit(NewJob.builder("echo", "{}").labels(Map.of("m", "x")).build());
    bench.retryAtOnce(bench.claimOne());
    JobEvent failed = onlyJob();
    assertThat(failed.outcome()).isEqualTo("failed");
    assertThat(failed.reason()).isEqualTo("http_500");
    assertThat(failed.facts().phase()).isEqualTo(Phase.RETRYING);
    assertThat(failed.facts().error()).isEqualTo("http_500 no");

    bench.retryAtOnce(bench.claimOne());
    bench.deadLetter(bench.claimOne());
    assertThat(news())
        .extracting(event -> ((JobEvent) event).outcome())
        .containsExactly("failed", "dead_letter");

    bench.changes.act(id, new JobAction.Redrive(false, true), Bench.ACT);
    bench.retryAtOnce(bench.claimOne());
    bench.complete(bench.claimOne());
    List<Event> last = news();
    assertThat(last).extracting(event -> event instanceof ChangeEvent).contains(true);
    assertThat(last)
        .filteredOn(event -> event instanceof JobEvent)
        .allSatisfy(
            event -> assertThat(((JobEvent) event).facts().labels()).containsEntry("m", "x"))
        .extracting(event -> ((JobEvent) event).outcome())
        .containsExactly("failed", "completed");
  }

  @Test
  void a_death_is_told_whatever_became_of_the_job_since() throws SQLException {
    UUID redriven = bench.submitOne();
    bench.deadLetter(bench.claimOne());
    bench.changes.act(redriven, new JobAction.Redrive(false, true), Bench.ACT);
    bench.complete(bench.claimOne());
    UUID gone = bench.submitOne();
    bench.deadLetter(bench.claimOne());
    bench.execute("delete from ebb.dead_letter");

    assertThat(news())
        .filteredOn(event -> event instanceof JobEvent)
        .extracting(event -> ((JobEvent) event).facts().id() + " " + ((JobEvent) event).outcome())
        .containsExactly(redriven + " dead_letter", redriven + " completed", gone + " dead_letter");
  }

  @Test
  void an_event_has_the_labels_of_its_time() throws SQLException {
    bench.submit(NewJob.builder("echo", "{}").labels(Map.of("m", "then")).build());
    bench.retryAtOnce(bench.claimOne());
    bench.execute("update ebb.job set labels = '{\"m\": \"now\"}', unique_key = 'now'");

    JobEvent told = onlyJob();
    assertThat(told.facts().labels()).containsEntry("m", "then");
    assertThat(told.facts().uniqueKey()).isNull();
  }

  @Test
  void an_event_of_a_node_of_the_release_before_is_told_as_well_as_can_be() throws SQLException {
    bench.submit(NewJob.builder("echo", "{}").labels(Map.of("m", "x")).build());
    bench.deadLetter(bench.claimOne());
    bench.execute(
        "update ebb.event set outcome = 'failed', queue = null, kind = null, created_at = null,"
            + " unique_key = null, labels = null");

    JobEvent told = onlyJob();
    assertThat(told.outcome()).isEqualTo("dead_letter");
    assertThat(told.facts().labels()).containsEntry("m", "x");
  }

  @Test
  void events_that_a_dump_brought_from_a_server_far_ahead_are_not_told_again_and_again()
      throws SQLException {
    end("restored", 3);
    bench.execute("update ebb.event set xact = (xact::text::bigint + 1000000)::text::xid8");

    for (int i = 0; i < 3; i++) {
      assertThat(news()).isEmpty();
    }
    end("own", 1);
    assertThat(queues(news())).containsExactly("own");
  }

  @Test
  void an_attempt_that_a_drain_gave_back_is_no_failure() throws SQLException {
    bench.submitOne();
    bench.settle(bench.claimOne(), new Outcome.GivenBack(), new Settlement.GiveBack());

    assertThat(onlyJob().outcome()).isEqualTo("given_back");
  }

  @Test
  void what_people_do_is_told_but_nothing_of_tokens() throws SQLException {
    UUID id = bench.submitOne();
    bench.changes.act(id, new JobAction.Cancel(), Bench.ACT);
    bench.execute(
        """
        insert into ebb.audit (actor, reason, action, subject, affected)
        values ('ada', 'why', 'queue.pause', 'payments', 1),
          ('ada', 'why', 'token.revoke', 'secret', 1)
        """);

    assertThat(news())
        .filteredOn(event -> event instanceof ChangeEvent)
        .extracting(event -> ((ChangeEvent) event).action())
        .containsExactly("job.cancel", "queue.pause");
  }

  @Test
  void a_commit_that_comes_late_is_told_once_however_much_was_read_meanwhile() throws SQLException {
    try (Connection late = TestPostgres.connect(bench.config)) {
      late.setAutoCommit(false);
      late.createStatement().execute(END.formatted("late", 1));
      List<String> told = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        end("early", 1);
        told.addAll(queues(news()));
      }
      assertThat(told).hasSize(5).doesNotContain("late");

      late.commit();
      end("after", 1);

      assertThat(queues(news())).containsExactlyInAnyOrder("late", "after");
      assertThat(news()).isEmpty();
    }
  }

  /** The control: by time alone, a reader would have passed it. */
  @Test
  void a_row_that_was_committed_late_is_older_than_what_was_read_before() throws SQLException {
    try (Connection late = TestPostgres.connect(bench.config)) {
      late.setAutoCommit(false);
      late.createStatement().execute(END.formatted("late", 1));
      end("early", 1);
      JobEvent early = onlyJob();
      late.commit();
      JobEvent told = onlyJob();
      assertThat(told.at()).isBefore(early.at());
      assertThat(told.transaction()).isLessThan(early.transaction());
    }
  }

  @Test
  void more_than_a_page_is_told_in_pages_while_a_commit_is_still_to_come() throws SQLException {
    EventPosition start = position;
    try (Connection late = TestPostgres.connect(bench.config)) {
      late.setAutoCommit(false);
      end("a", 3_000);
      late.createStatement().execute(END.formatted("late", 1));
      end("b", 3_000);
      end("c", 10);
      List<String> told = new ArrayList<>();
      EventBatch batch = events.after(position, ALL);
      assertThat(batch.more()).isTrue();
      told.addAll(queues(batch.events()));
      assertThat(told).as("whole transactions").hasSize(3_000).containsOnly("a");
      late.commit();
      while (batch.more()) {
        batch = events.after(batch.position(), ALL);
        told.addAll(queues(batch.events()));
      }
      assertThat(batch.torn()).isFalse();
      assertThat(told).hasSize(6_011).contains("late");
      assertThat(events.after(batch.position(), ALL).events()).isEmpty();
    }
    assertThat(events.after(start, ALL).more()).as("the same again, from where it began").isTrue();
  }

  @Test
  void a_transaction_of_more_rows_than_a_page_is_passed_and_said_to_be_torn() throws SQLException {
    end("giant", EventLog.PAGE + 1);
    end("after", 1);

    EventBatch batch = events.after(position, ALL);
    assertThat(batch.torn()).isTrue();
    assertThat(batch.events()).hasSize(EventLog.PAGE);
    assertThat(queues(events.after(batch.position(), ALL).events())).containsExactly("after");
  }

  @Test
  void a_position_of_another_server_or_from_ahead_of_it_is_told_to_be_torn() throws SQLException {
    end("a", 1);
    EventPosition foreign =
        new EventPosition(
            position.server().minusSeconds(1), position.time(), position.next(), List.of());
    EventPosition ahead =
        new EventPosition(
            position.server(), position.time(), position.next() + 1_000_000, List.of());

    for (EventPosition wrong : List.of(foreign, ahead)) {
      EventBatch batch = events.after(wrong, ALL);
      assertThat(batch.torn()).isTrue();
      assertThat(batch.events()).isEmpty();
      assertThat(events.after(batch.position(), ALL).torn()).isFalse();
    }
  }

  @Test
  void what_is_moved_to_the_strays_is_not_told_again() throws SQLException {
    end("a", 1);
    assertThat(news()).hasSize(1);
    bench.execute(
        """
        with moved as (delete from ebb.history returning *)
        insert into ebb.history_stray select * from moved
        """);
    assertThat(news()).isEmpty();
  }

  /** What a read touches does not grow with what is there. */
  @Test
  void a_read_costs_no_more_where_five_times_as_much_has_ended() throws SQLException {
    bench.countBlocks();
    grow(20_000);
    long before = blocks();
    grow(80_000);
    assertThat(blocks()).isLessThan(before + 100);
  }

  @Test
  void while_nobody_listened_within_the_hour_nothing_is_written() throws SQLException {
    bench.execute("update ebb.listening set listened_until = now()");
    bench.submitOne();
    bench.retryAtOnce(bench.claimOne());
    bench.deadLetter(bench.claimOne());
    end("a", 1);
    assertThat(bench.count("ebb.event")).isZero();

    events.listen();
    end("b", 1);
    assertThat(queues(news())).containsExactly("b");
  }

  @Test
  void events_are_forgotten_an_hour_later_and_not_before() throws SQLException {
    end("a", 1);
    String next = "(floor(extract(epoch from now()) / 3600)::bigint + 1) % 3";
    bench.execute("update ebb.event set part = " + next);
    events.forget();
    assertThat(bench.count("ebb.event")).isOne();

    bench.execute("update ebb.event set at = now() - interval '61 minutes'");
    events.forget();
    assertThat(bench.count("ebb.event")).isZero();
  }

  @Test
  void what_is_told_from_a_position_on_is_whole_once_it_is_past_the_start() throws SQLException {
    try (Connection late = TestPostgres.connect(bench.config)) {
      late.setAutoCommit(false);
      late.createStatement().execute(END.formatted("late", 1));
      long start = events.listen();
      assertThat(events.now().isPast(start)).isFalse();
      late.commit();
      while (!events.now().isPast(start)) {
        // Others use the same server.
        Thread.onSpinWait();
      }
      assertThat(events.now().sees(start)).isTrue();
    }
  }

  private void grow(int rows) throws SQLException {
    for (int i = 0; i < rows / 1_000; i++) {
      end("q", 1_000);
    }
    bench.execute(
        """
        insert into ebb.attempt (job_id, started_at, number, outcome, failure_reason, failure, node)
        select uuidv7(), now(), 1, 'failed', 'http_500', 'no', 'n' from generate_series(1, %s)
        """
            .formatted(rows));
    bench.execute("vacuum analyze ebb.history, ebb.attempt, ebb.event");
  }

  private long blocks() throws SQLException {
    position = events.now();
    end("q", 100);
    bench.resetBlocks();
    for (int i = 0; i < 10; i++) {
      assertThat(events.after(position, ALL).events()).hasSize(100);
    }
    return bench.blocks("%fresh as materialized%") / 10;
  }

  @Test
  void a_position_keeps_its_text_short() {
    EventPosition many =
        new EventPosition(
            position.server(), position.time(), 5_000_000_000L, List.of(4_999_999_000L));

    assertThat(many.text()).hasSizeLessThan(40);
    assertThat(many.time()).isBefore(position.time().plus(Duration.ofSeconds(1)));
  }
}
