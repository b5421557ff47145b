package dev.ebb.db.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.stats.Histogram;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.submit.Submission;
import dev.ebb.db.submit.Submitter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each verb counts, in its transaction. */
class CountedVerbsTest {
  private static final String PLACE = Bench.QUEUE + "/echo ";
  private static final Settlement.Retry RETRY =
      new Settlement.Retry(Duration.ZERO, Bench.failure("http_500"));

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @FunctionalInterface
  interface Verb {
    void on(Bench bench) throws SQLException;
  }

  /** With what it counts, as in {@code "submitted 1, started 1"}. */
  private static Arguments verb(String name, Verb verb, String counted) {
    Map<String, Long> counts = new TreeMap<>();
    for (String one : counted.split(", ", -1)) {
      int space = one.indexOf(' ');
      counts.put(PLACE + one.substring(0, space), Long.valueOf(one.substring(space + 1)));
    }
    return Arguments.argumentSet(name, verb, counts);
  }

  private static UUID dead(Bench bench) throws SQLException {
    UUID id = bench.submitOne();
    bench.deadLetter(bench.claimOne());
    return id;
  }

  private static void settle(Bench bench, Outcome outcome, Settlement settlement)
      throws SQLException {
    bench.submitOne();
    assertThat(bench.settle(bench.claimOne(), outcome, settlement)).isTrue();
  }

  private static void submitTwiceWithKey(Bench bench, NewJob job) throws SQLException {
    IdempotencyKey key = IdempotencyKey.of("a", "POST /v1/jobs", "k", "{}");
    try (Submitter submitter = new Submitter(bench.database, null)) {
      submitter.submit(new Submission(List.of(job), Set.of(), key));
      submitter.submit(new Submission(List.of(job), Set.of(), key));
    }
  }

  static Stream<Arguments> verbs() {
    return Stream.of(submits(), claims(), settles(), actions()).flatMap(verbs -> verbs);
  }

  private static Stream<Arguments> submits() {
    NewJob unique = NewJob.builder("echo", "{}").uniqueKey("once").build();
    return Stream.of(
        verb("submit", Bench::submitOne, "submitted 1"),
        verb(
            "submit of many",
            b -> b.jobs.submit(Collections.nCopies(7, NewJob.of("echo", "{}"))),
            "submitted 7"),
        verb(
            "duplicates count once",
            b -> b.jobs.submit(List.of(unique, unique, NewJob.of("echo", "{}"))),
            "submitted 2"),
        verb(
            "a repeated submit counts once",
            b -> submitTwiceWithKey(b, NewJob.of("echo", "{}")),
            "submitted 1"),
        verb("a repeated unique one too", b -> submitTwiceWithKey(b, unique), "submitted 1"),
        verb(
            "clone",
            b -> {
              UUID id = b.submitOne();
              new JobChanges(b.database).submitClone(id, NewJob.of("echo", "1"), Bench.ACT, null);
            },
            "submitted 2"));
  }

  private static Stream<Arguments> claims() {
    return Stream.of(
        verb(
            "claim",
            b -> {
              b.submitOne();
              b.claimOne();
            },
            "submitted 1, started 1"),
        verb(
            "claim under a limit",
            b -> {
              QueueSettings five = new QueueSettings(false, null, null, 5);
              new Queues(b.database).put(Bench.QUEUE, five, true, Bench.ACT);
              b.submitOne();
              b.claimOne();
            },
            "submitted 1, started 1"),
        verb(
            "complete",
            b -> {
              b.submitOne();
              b.complete(b.claimOne());
            },
            "submitted 1, started 1, completed 1"));
  }

  private static Stream<Arguments> settles() {
    Outcome failed = Outcome.failed("http_500", "no");
    Failure failure = Bench.failure("http_500");
    return Stream.of(
        verb("retry", b -> settle(b, failed, RETRY), "submitted 1, started 1, failed 1"),
        verb(
            "throttled",
            b -> settle(b, new Outcome.Throttled(failure, Duration.ZERO), RETRY),
            "submitted 1, started 1, throttled 1"),
        verb("dead letter", CountedVerbsTest::dead, "submitted 1, started 1, failed 1, dead 1"),
        verb(
            "snooze",
            b -> settle(b, new Outcome.NotReady(null), new Settlement.Snooze(Duration.ZERO)),
            "submitted 1, started 1, snoozed 1"),
        verb(
            "give back",
            b -> settle(b, new Outcome.GivenBack(), new Settlement.GiveBack()),
            "submitted 1, started 1, released 1"),
        verb(
            "cancel while it runs",
            b -> settle(b, new Outcome.Cancelled(), new Settlement.Cancel()),
            "submitted 1, started 1, cancelled 1"),
        verb(
            "rescue",
            b -> {
              b.submitOne();
              b.claimOne();
              b.expireLeases();
              b.rescueAll();
            },
            "submitted 1, started 1, failed 1"));
  }

  private static Stream<Arguments> actions() {
    return Stream.of(
        verb(
            "cancel",
            b -> b.changes.act(b.submitOne(), new JobAction.Cancel(), Bench.ACT),
            "submitted 1, cancelled 1"),
        verb(
            "redrive, and a second that comes too late",
            b -> {
              UUID id = dead(b);
              b.changes.act(id, new JobAction.Redrive(false, true), Bench.ACT);
              b.changes.act(id, new JobAction.Redrive(false, true), Bench.ACT);
            },
            "submitted 1, started 1, failed 1, dead 1, redriven 1"),
        verb(
            "purge",
            b -> {
              dead(b);
              b.submitOne();
              b.jobs.purge(Bench.QUEUE, true, true, Bench.ACT);
            },
            "submitted 2, started 1, failed 1, dead 1, cancelled 1, discarded 1"),
        verb(
            "an action in bulk",
            b ->
                b.database.inTransaction(connection -> {
                  Tally.add(connection, Counter.DISCARDED, Bench.QUEUE, "echo", 3);
                  Tally.add(connection, Counter.DISCARDED, Bench.QUEUE, "echo", 0);
                  return 0;
                }),
            "discarded 3"));
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void each_verb_counts_what_it_wrote(Verb verb, Map<String, Long> counted) throws SQLException {
    verb.on(bench);

    assertThat(Recount.ofTheStatistics(bench.config)).isEqualTo(counted);
  }

  private static FinishedAttempt completed(ClaimedJob claimed, Duration took) {
    return new FinishedAttempt(
        claimed,
        Outcome.completed(),
        new Settlement.Complete(),
        "node",
        System.nanoTime(),
        took,
        null);
  }

  @Test
  void what_the_fence_keeps_out_is_not_counted_and_the_rest_of_its_batch_is() throws SQLException {
    bench.submitOne();
    ClaimedJob stale = bench.claimOne();
    bench.expireLeases();
    bench.rescueAll();
    bench.submitOne();
    Lease lease = bench.claim(2);
    List<FinishedAttempt> batch =
        Stream.concat(Stream.of(stale), lease.jobs().stream())
            .map(claimed -> completed(claimed, Duration.ofMillis(5)))
            .toList();

    assertThat(bench.jobs.settle(batch, List.of(lease.id()))).containsExactly(batch.getFirst());

    assertThat(Recount.ofTheStatistics(bench.config)).containsEntry(PLACE + "completed", 2L);
    assertThat(
            bench.count(
                "ebb.tally where counter = 3 and number = 2 and micros = 10000 and bucket = %s"
                    .formatted(Histogram.bucket(5000))))
        .isOne();
  }

  @Test
  void a_batch_that_the_fence_keeps_out_counts_nothing() throws SQLException {
    bench.submitOne();
    ClaimedJob claimed = bench.claimOne();
    assertThat(bench.complete(claimed)).isTrue();

    assertThat(bench.complete(claimed)).isFalse();
    assertThat(bench.retryAtOnce(claimed)).isFalse();

    assertThat(Recount.ofTheStatistics(bench.config))
        .containsEntry(PLACE + "completed", 1L)
        .doesNotContainKey(PLACE + "failed");
  }

  @Test
  void the_database_knows_the_buckets_as_this_side_does() throws SQLException {
    for (long micros : new long[] {0, 1, 1023, 1024, 2047, 2048, 1L << 39, 1L << 40, 1L << 50}) {
      assertThat(
              bench.count(
                  """
                  (select width_bucket(%s * interval '1 us', '{%s}'::interval[]) as b) w
                  where b = %s
                  """
                      .formatted(micros, Histogram.BOUNDS, Histogram.bucket(micros))))
          .as("%s µs", micros)
          .isOne();
    }
  }

  @Test
  void a_claim_counts_how_long_the_job_had_been_due() throws SQLException {
    bench.submitOne();
    bench.execute("update ebb.job set run_at = now() - interval '3 seconds'");

    bench.claimOne();

    assertThat(
            bench.count(
                "ebb.tally where counter = 2 and micros between 3000000 and 60000000"
                    + " and bucket >= "
                    + Histogram.bucket(3_000_000)))
        .isOne();
  }
}
