package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.WorkFinder.Found;
import dev.ebb.db.claim.WorkFinder.Place;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.submit.Submitter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a look for work tells of, beside the queues that it goes through. */
class WorkFinderTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Bench bench = new Bench();
  private final WorkFinder finder = new WorkFinder(bench.database);

  /** In front of the queues that matter, so that a stretch of one queue never comes to them. */
  @BeforeEach
  void beginWithAQueueWithoutWork() throws SQLException {
    submit("a-first", Duration.ofDays(1));
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void submit(String queue, @Nullable Duration delay) throws SQLException {
    bench.submit(NewJob.builder("echo", "{}").queue(queue).delay(delay).build());
  }

  /** A look, a minute after the last one, that goes through the first queue alone. */
  private Found look() throws SQLException {
    Instant last = Instant.now().minus(Duration.ofMinutes(1));
    return finder.find(List.of("echo"), null, new Place("", last, 0), 1, HOUR);
  }

  private void becomeDue(String queue) throws SQLException {
    bench.execute(
        "update ebb.job set created_at = now() - interval '1 minute',"
            + " run_at = now() - interval '1 second' where queue = '"
            + queue
            + "'");
  }

  @Test
  void what_became_due_is_found_wherever_the_look_goes_through() throws SQLException {
    submit("late", HOUR);
    assertThat(look().queues()).isEmpty();

    becomeDue("late");

    assertThat(look().queues()).containsExactly("late");
  }

  @Test
  void what_became_due_and_is_claimed_paused_or_of_another_kind_is_not_found() throws SQLException {
    submit(Bench.QUEUE, HOUR);
    submit("paused", HOUR);
    bench.submit(NewJob.builder("strange", "{}").queue("other").delay(HOUR).build());
    new Queues(bench.database).put("paused", QueueSettings.of(true, null), true, Bench.ACT);
    becomeDue(Bench.QUEUE);
    becomeDue("paused");
    becomeDue("other");
    assertThat(look().queues()).containsExactly(Bench.QUEUE);

    bench.claimOne();

    assertThat(look().queues()).isEmpty();
  }

  @Test
  void a_submit_in_a_transaction_of_the_caller_is_found_once_that_commits() throws SQLException {
    try (Connection own = TestPostgres.connect(bench.config)) {
      own.setAutoCommit(false);
      JobQueue.submit(own, List.of(NewJob.builder("echo", "{}").queue("own").build()));
      assertThat(look().queues()).isEmpty();

      own.commit();
    }

    assertThat(look().queues()).containsExactly("own");
  }

  @Test
  void what_a_notification_told_of_is_left_to_the_look_that_comes_through_its_queue()
      throws SQLException {
    submit("told", null);

    assertThat(look().queues()).isEmpty();
    assertThat(bench.queuesWithWork("echo", null)).containsExactly("told");
  }

  @Test
  void a_submitter_that_notifies_nobody_has_its_jobs_looked_for() throws SQLException {
    try (Submitter submitter = new Submitter(bench.database, null)) {
      submitter.submit(NewJob.builder("echo", "{}").queue("single").delay(Duration.ZERO).build());
    }

    assertThat(look().queues()).containsExactly("single");
  }

  @Test
  void a_queue_whose_pause_ended_by_itself_is_found() throws SQLException {
    submit("resting", null);
    new Queues(bench.database).pause("resting", Instant.now().plusSeconds(3600), Bench.ACT);
    assertThat(look().queues()).isEmpty();

    bench.execute("update ebb.queue set paused_until = now() - interval '1 second'");

    assertThat(look().queues()).containsExactly("resting");

    bench.jobs.claim(ClaimRequest.of("resting", "node", List.of("echo"), 1, Bench.LEASE));
    assertThat(look().queues()).as("without work it is no news").isEmpty();
  }

  @Test
  void looks_go_through_all_queues_and_begin_again() throws SQLException {
    for (String queue : List.of("b", "c", "d")) {
      submit(queue, null);
    }
    List<List<String>> found = new ArrayList<>();
    Place place = Place.BEGINNING;
    for (int i = 0; i < 4; i++) {
      Found look = finder.find(List.of("echo"), null, place, 2, HOUR);
      found.add(look.queues());
      place = look.next();
    }

    assertThat(found)
        .containsExactly(List.of("b"), List.of("c", "d"), List.of("b"), List.of("c", "d"));
  }

  @Test
  void looks_at_some_queues_go_through_these_and_begin_again() throws SQLException {
    for (String queue : List.of("b", "c", "d")) {
      submit(queue, null);
    }
    submit("late", HOUR);
    becomeDue("late");
    List<String> some = List.of("c", "a-first", "b");

    Found first = finder.find(List.of("echo"), some, Place.BEGINNING, 2, HOUR);
    Found second = finder.find(List.of("echo"), some, first.next(), 2, HOUR);

    assertThat(first.queues()).containsExactly("c");
    assertThat(second.queues()).containsExactly("b");
    assertThat(second.next().after()).isEmpty();
  }

  @Test
  void a_look_says_when_more_became_due_than_it_tells_of() throws SQLException {
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, created_at, run_at, max_attempts, payload)
        select 'many', 'echo', 5, now() - interval '1 day', now() - interval '1 second', 16, '{}'
        from generate_series(2, %s)
        """
            .formatted(WorkFinder.MOST_BECAME_DUE));
    assertThat(look().overflowed()).isFalse();

    submit("one-more", HOUR);
    becomeDue("one-more");

    assertThat(look().overflowed()).isTrue();
  }

  @Test
  void a_look_says_when_the_next_job_becomes_due() throws SQLException {
    assertThat(look().untilNext()).as("in a day").isNull();

    submit("soon", Duration.ofMinutes(10));

    assertThat(look().untilNext()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10));
  }

  @Test
  void a_clock_that_was_set_back_hides_nothing() throws SQLException {
    submit("late", HOUR);
    becomeDue("late");

    Place ahead = new Place("", Instant.now().plusSeconds(3600), 0);

    assertThat(finder.find(List.of("echo"), null, ahead, 1, HOUR).queues()).containsExactly("late");
  }
}
