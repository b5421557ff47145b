package dev.ebb.db.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told of the queues, whether it is folded or not. */
class StatReadsTest {
  private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant TO = Instant.parse("2026-01-02T00:00:00Z");

  private Bench bench;
  private StatReads reads;
  private OverviewReads overviews;
  private Fold fold;

  @BeforeEach
  void open() {
    bench = new Bench();
    reads = new StatReads(bench.database);
    overviews = new OverviewReads(bench.database);
    fold = new Fold(bench.database, Duration.ZERO);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void tally(String at, int counter, String kind, int number, String lengths)
      throws SQLException {
    bench.execute(
        """
        insert into ebb.tally (at, counter, queue, kind, number, bucket, micros, part)
        values ('%s', %s, 'default', '%s', %s, %s,
          (floor(date_part('epoch', clock_timestamp()) / 15)::bigint + 3) %% 4)
        """
            .formatted(at, counter, kind, number, lengths));
  }

  private void someTallies() throws SQLException {
    tally("2025-12-31 23:59:59Z", 1, "echo", 1000, "null, 0");
    tally("2026-01-01 00:00:59Z", 1, "echo", 3, "null, 0");
    tally("2026-01-01 00:00:59Z", 2, "echo", 2, "1, 3000");
    tally("2026-01-01 00:01:00Z", 1, "other", 4, "null, 0");
    tally("2026-01-01 00:01:00Z", 3, "echo", 1, "11, 1500000");
    tally("2026-01-01 00:01:30Z", 4, "echo", 1, "11, 1500000");
    tally("2026-01-02 00:00:00Z", 1, "echo", 1000, "null, 0");
  }

  private void foldAll() throws SQLException {
    while (fold.step() != Fold.Step.DONE) {}
    assertThat(bench.count("ebb.tally")).isZero();
  }

  private void assertSeriesIsRight() throws SQLException {
    Series minutes = reads.series(Bench.QUEUE, null, 1, FROM, TO);
    assertThat(minutes.complete()).isTrue();
    assertThat(minutes.points())
        .extracting(Series.Point::at)
        .containsExactly(FROM, FROM.plusSeconds(60));
    Counts first = minutes.points().getFirst().counts();
    assertThat(first.of(Counter.SUBMITTED)).isEqualTo(3);
    assertThat(first.of(Counter.STARTED)).isEqualTo(2);
    assertThat(first.waitSum()).isEqualTo(Duration.ofMillis(3));
    assertThat(first.waits().quantile(0.5).orElseThrow())
        .isBetween(Duration.ofMillis(1), Duration.ofMillis(2));
    assertThat(first.runs().quantile(0.5)).isEmpty();
    Counts second = minutes.points().getLast().counts();
    assertThat(second.runs().total()).isEqualTo(2);
    assertThat(second.of(Counter.SUBMITTED)).isEqualTo(4);

    Series days = reads.series(Bench.QUEUE, "echo", 1440, FROM, TO);
    assertThat(days.points()).extracting(Series.Point::at).containsExactly(FROM);
    assertThat(days.points().getFirst().counts().of(Counter.SUBMITTED)).isEqualTo(3);
    assertThat(reads.series("nowhere", null, 60, FROM, TO).points()).isEmpty();
  }

  @Test
  void a_series_is_the_same_before_while_and_after_it_is_folded() throws SQLException {
    someTallies();
    assertSeriesIsRight();

    foldAll();
    assertSeriesIsRight();

    bench.execute("delete from ebb.stat");
    tally("2026-01-01 00:00:59Z", 1, "echo", 1, "null, 0");
    tally("2026-01-01 00:01:30Z", 4, "echo", 1, "11, 1500000");
    foldAll();
    tally("2026-01-01 00:00:59Z", 1, "echo", 2, "null, 0");
    tally("2026-01-01 00:00:59Z", 2, "echo", 2, "1, 3000");
    tally("2026-01-01 00:01:00Z", 1, "other", 4, "null, 0");
    tally("2026-01-01 00:01:00Z", 3, "echo", 1, "11, 1500000");
    assertSeriesIsRight();
  }

  @Test
  void a_series_of_too_many_steps_and_kinds_is_refused() throws SQLException {
    bench.execute(
        """
        insert into ebb.stat
        select
          '2026-01-01Z'::timestamptz + i * interval '1 minute', 1,0,0,0,0,0,0,0,0,0,0, 0,0, 1,
          'default', 'kind-' || k, '{}', '{}'
        from generate_series(0, 1000) i, generate_series(1, 20) k
        """);

    assertThatThrownBy(() -> reads.series(Bench.QUEUE, null, 1, FROM, TO))
        .isInstanceOf(InvalidInput.class);

    assertThat(reads.series(Bench.QUEUE, "kind-7", 1, FROM, TO).points()).hasSize(1001);
  }

  @Test
  void tallies_that_nobody_folded_for_long_are_left_out_and_the_answer_says_so()
      throws SQLException {
    someTallies();
    foldAll();
    bench.execute(
        """
        insert into ebb.tally (counter, queue, kind, number)
        select 1, 'default', 'echo', 1 from generate_series(1, 600000)
        """);

    Series series = reads.series(Bench.QUEUE, null, 1, FROM, TO);

    assertThat(series.complete()).isFalse();
    assertThat(series.asOf()).isBefore(Instant.now().minusSeconds(60));
    assertThat(series.points()).hasSize(2);
    assertThat(overviews.page("", 10).complete()).isFalse();
    // 'default' counts as long as its last tallies are folded.
    assertThat(overviews.page("", 10).all().last().fifteen().of(Counter.SUBMITTED)).isZero();
  }

  private void submit(String queue, int jobs) throws SQLException {
    for (int i = 0; i < jobs; i++) {
      bench.submit(NewJob.builder("echo", "{}").queue(queue).build());
    }
  }

  @Test
  void an_overview_tells_of_every_queue_how_it_stands() throws SQLException {
    new Queues(bench.database)
        .put("idle", new QueueSettings(false, null, null, null), true, Bench.ACT);
    submit("default", 4);
    submit("other", 2);
    bench.execute(
        "update ebb.job set run_at = now() - interval '7 seconds' where queue = 'default'");
    bench.claim(2);
    bench.deadLetter(bench.claimOne());

    for (int i = 0; i < 2; i++) {
      Overview overview = overviews.page("", 10);
      assertThat(overview.queues())
          .extracting(QueueStat::queue)
          .containsExactly("default", "idle", "other");
      QueueStat own = overview.queues().getFirst();
      assertThat(List.of(own.jobs(), own.deadLetters(), own.inFlight()))
          .containsExactly(3L, 1L, 2L);
      assertThat(own.oldestDue()).isGreaterThanOrEqualTo(Duration.ofSeconds(7));
      assertThat(own.last().one().of(Counter.STARTED)).isEqualTo(3);
      assertThat(own.last().fifteen().of(Counter.DEAD)).isEqualTo(1);
      QueueStat all = overview.all();
      assertThat(List.of(all.jobs(), all.deadLetters(), all.inFlight()))
          .containsExactly(5L, 1L, 2L);
      assertThat(all.last().five().of(Counter.SUBMITTED)).isEqualTo(6);
      bench.execute(
          "update ebb.tally set part = (floor(date_part('epoch', clock_timestamp()) / 15)::bigint + 3) % 4");
      foldAll();
    }
  }

  @Test
  void an_overview_comes_in_pages_by_name() throws SQLException {
    submit("a", 1);
    submit("b", 1);
    submit("c", 1);

    Overview first = overviews.page("", 2);
    Overview last = overviews.page("b", 2);

    assertThat(first.queues()).extracting(QueueStat::queue).containsExactly("a", "b");
    assertThat(first.next()).isEqualTo("b");
    assertThat(last.queues()).extracting(QueueStat::queue).containsExactly("c");
    assertThat(last.next()).isNull();
    assertThat(last.all().jobs()).isEqualTo(3);
  }
}
