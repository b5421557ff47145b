package dev.ebb.db.settle;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.FollowUp;
import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.view.JobView;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that follow others, submitted by the transactions that end these. */
class FollowUpTest {
  private static final String RESULT = "{\"result\":{\"amount\":\"12.50\"}}";

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static NewJob job(String queue) {
    return NewJob.builder("echo", "{\"order\":1.50,\"asked\":null}").queue(queue).build();
  }

  private static FollowUp.Planned planned(NewJob job) {
    return new FollowUp.Planned(job, "/asked");
  }

  private static NewJob question(
      FollowUp.@Nullable Planned completed, FollowUp.@Nullable Planned deadLetter) {
    FollowUps then = new FollowUps(completed, deadLetter, null);
    return NewJob.builder("echo", "{}").then(then).build();
  }

  private static NewJob question() {
    return question(planned(job("notify")), planned(job("cancel")));
  }

  private UUID ask() throws SQLException {
    return bench.submit(question());
  }

  private List<ClaimedJob> claim(int most) throws SQLException {
    return bench
        .jobs
        .claim(ClaimRequest.of(Bench.QUEUE, "node", List.of("echo"), most, Bench.LEASE))
        .map(Lease::jobs)
        .orElse(List.of());
  }

  private static FinishedAttempt finished(ClaimedJob claimed, Settlement settlement) {
    return new FinishedAttempt(
        claimed,
        settlement instanceof Settlement.Complete ? Outcome.completed() : Outcome.failed("x", "no"),
        settlement,
        "node",
        System.nanoTime(),
        Duration.ZERO,
        RESULT);
  }

  private static List<FinishedAttempt> completed(List<ClaimedJob> claimed) {
    return claimed.stream().map(one -> finished(one, new Settlement.Complete())).toList();
  }

  private static List<Long> leases(List<ClaimedJob> claimed) {
    return claimed.stream().map(ClaimedJob::fencingToken).distinct().toList();
  }

  private static Settlement dead(String reason) {
    return new Settlement.DeadLetter(reason, Bench.failure("pending"));
  }

  private JobView view(UUID id) throws SQLException {
    return bench.reads.find(id).orElseThrow();
  }

  private FollowUps then(UUID id) throws SQLException {
    return requireNonNull(view(id).then());
  }

  private JobView submitted(@Nullable FollowUp followUp) throws SQLException {
    assertThat(followUp).isInstanceOf(FollowUp.Submitted.class);
    return view(requireNonNull((FollowUp.Submitted) followUp).job());
  }

  private long inQueue(String queue) throws SQLException {
    return bench.count("ebb.job where queue = '" + queue + "'");
  }

  @Test
  void a_job_that_completes_is_followed_by_one_that_has_its_answer() throws Exception {
    UUID first = ask();
    List<ClaimedJob> claimed = claim(1);

    assertThat(bench.jobs.settle(completed(claimed), leases(claimed))).isEmpty();

    FollowUps then = then(first);
    assertThat(view(first).state()).isEqualTo(JobState.COMPLETED);
    assertThat(then.deadLetter()).isNull();
    JobView next = submitted(then.completed());
    assertThat(next.queue()).isEqualTo("notify");
    assertThat(next.payload())
        .isEqualTo(
            "{\"order\":1.50,\"asked\":{\"job\":\"%s\",\"state\":\"completed\",".formatted(first)
                + "\"result\":{\"amount\":\"12.50\"}}}");
    assertThat(then(next.id())).isEqualTo(FollowUps.of(first));
    assertThat(inQueue("cancel")).isZero();
  }

  @Test
  void a_job_that_is_given_up_is_followed_by_one_that_knows_why() throws Exception {
    for (String reason :
        List.of(Settlement.ATTEMPTS_USED_UP, Settlement.DEADLINE, "http_400", "worker_lost")) {
      UUID first = ask();
      List<ClaimedJob> claimed = claim(1);

      var _ =
          bench.jobs.settle(List.of(finished(claimed.getFirst(), dead(reason))), leases(claimed));

      JobView next = submitted(then(first).deadLetter());
      assertThat(next.queue()).isEqualTo("cancel");
      assertThat(next.payload())
          .contains("\"state\":\"dead_letter\",\"deadReason\":\"" + reason + "\"")
          .contains("\"lastError\":{\"reason\":\"pending\",\"message\":\"no\"}");
      assertThat(then(first).completed()).isInstanceOf(FollowUp.Planned.class);
    }
    assertThat(inQueue("notify")).isZero();
  }

  @Test
  void a_worker_that_is_lost_at_the_last_attempt_is_no_reason_to_submit_nothing() throws Exception {
    UUID first = ask();
    claim(1);
    bench.expireLeases();

    assertThat(bench.rescue(dead("worker_lost"))).hasSize(1);

    assertThat(submitted(then(first).deadLetter()).queue()).isEqualTo("cancel");
    assertThat(inQueue("cancel")).isEqualTo(1);
  }

  @Test
  void what_goes_on_is_cancelled_or_discarded_is_followed_by_nothing() throws Exception {
    UUID running = ask();
    ClaimedJob claimed = claim(1).getFirst();
    bench.retryAtOnce(claimed);
    ClaimedJob again = claim(1).getFirst();
    bench.changes.act(running, new JobAction.Cancel(), Bench.ACT);
    bench.deadLetter(again);
    UUID available = ask();
    bench.changes.act(available, new JobAction.Cancel(), Bench.ACT);

    for (UUID cancelled : List.of(running, available)) {
      assertThat(view(cancelled).state()).isEqualTo(JobState.CANCELLED);
      assertThat(view(cancelled).then()).isNull();
    }
    assertThat(inQueue("cancel") + inQueue("notify")).isZero();
    assertThat(bench.count("ebb.history where follow_ups::text like '%payload%'")).isZero();
  }

  @Test
  void a_dead_letter_that_is_discarded_keeps_the_link_and_no_plan() throws Exception {
    UUID first = ask();
    bench.deadLetter(claim(1).getFirst());

    bench.changes.act(first, new JobAction.Discard(), Bench.ACT);

    assertThat(submitted(then(first).deadLetter()).queue()).isEqualTo("cancel");
    assertThat(then(first).completed()).isNull();
  }

  @Test
  void a_worker_that_lost_its_lease_submits_nothing() throws Exception {
    ask();
    List<ClaimedJob> stale = claim(1);
    bench.expireLeases();
    bench.rescueAll();
    assertThat(bench.jobs.settle(completed(stale), leases(stale))).hasSize(1);
    assertThat(bench.deadLetter(stale.getFirst())).isFalse();
    assertThat(inQueue("cancel") + inQueue("notify")).isZero();

    List<ClaimedJob> fresh = claim(1);
    assertThat(bench.jobs.settle(completed(fresh), leases(fresh))).isEmpty();
    assertThat(bench.jobs.settle(completed(fresh), leases(fresh))).hasSize(1);
    assertThat(inQueue("notify")).isEqualTo(1);
  }

  @Test
  void what_follows_is_there_exactly_if_the_end_is() throws Exception {
    UUID first = ask();
    List<ClaimedJob> claimed = claim(1);
    bench.execute(
        """
        create function public.refuse() returns trigger language plpgsql as
          $$ begin raise exception 'no' using errcode = '53400'; end $$;
        create trigger refuse before insert on ebb.history
        for each row execute function public.refuse();
        """);
    assertThatThrownBy(() -> bench.jobs.settle(completed(claimed), leases(claimed)))
        .isInstanceOf(SQLException.class);
    assertThat(inQueue("notify")).isZero();
    assertThat(then(first).completed()).isInstanceOf(FollowUp.Planned.class);
    bench.execute("drop function public.refuse() cascade");

    assertThat(bench.jobs.settle(completed(claimed), leases(claimed))).isEmpty();

    assertThat(inQueue("notify")).isEqualTo(1);
  }

  @Test
  void one_that_is_refused_is_shown_and_keeps_no_other_job_from_its_end() throws Exception {
    bench.execute("alter table ebb.job add constraint none check (queue <> 'none')");
    UUID plain = bench.submitOne();
    UUID bad = bench.submit(question(planned(job("none")), null));
    UUID good = ask();
    NewJob large =
        NewJob.builder("echo", "{\"a\":\"" + "x".repeat(32_000) + "\"}").queue("notify").build();
    UUID open = bench.submit(question(new FollowUp.Planned(large, "/asked"), null));
    List<ClaimedJob> claimed = claim(10);

    assertThat(bench.jobs.settle(completed(claimed), leases(claimed))).isEmpty();

    assertThat(bench.count("ebb.history")).isEqualTo(4);
    assertThat(view(plain).then()).isNull();
    assertThat(then(bad).completed())
        .isEqualTo(new FollowUp.Refused("a constraint is broken (23514)"));
    assertThat(submitted(then(good).completed()).queue()).isEqualTo("notify");
    assertThat(submitted(then(open).completed()).payload()).hasSizeGreaterThan(32_000);
  }

  @Test
  void a_late_yes_of_a_job_that_was_redriven_is_followed_too_and_nothing_is_twice()
      throws Exception {
    UUID first = ask();
    bench.deadLetter(claim(1).getFirst());
    bench.changes.act(first, new JobAction.Redrive(true, true), Bench.ACT);
    bench.deadLetter(claim(1).getFirst());
    assertThat(inQueue("cancel")).isEqualTo(1);
    bench.changes.act(first, new JobAction.Redrive(true, true), Bench.ACT);

    List<ClaimedJob> claimed = claim(1);
    assertThat(bench.jobs.settle(completed(claimed), leases(claimed))).isEmpty();

    assertThat(inQueue("cancel")).isEqualTo(1);
    assertThat(submitted(then(first).completed()).queue()).isEqualTo("notify");
    assertThat(submitted(then(first).deadLetter()).queue()).isEqualTo("cancel");
  }

  @Test
  void a_unique_key_that_somebody_is_writing_leaves_that_job_for_later_alone() throws Exception {
    NewJob once = NewJob.builder("echo", "{\"n\":1}").queue("once").uniqueKey("9981").build();
    UUID waits = bench.submit(question(new FollowUp.Planned(once, null), null));
    UUID free = ask();
    List<ClaimedJob> claimed = claim(2);
    SettleResult settled;
    try (Connection other = TestPostgres.connect(bench.config)) {
      other.setAutoCommit(false);
      JobQueue.submit(other, List.of(once));
      settled = bench.jobs.settleUnlocked(completed(claimed), leases(claimed));
      assertThat(settled.refused()).isEmpty();
      assertThat(settled.locked()).extracting(FinishedAttempt::jobId).containsExactly(waits);
      assertThat(view(free).state()).isEqualTo(JobState.COMPLETED);
      assertThat(view(waits).state()).isEqualTo(JobState.RUNNING);
      other.commit();
    }
    assertThat(bench.jobs.settle(settled.locked(), leases(claimed))).isEmpty();

    assertThat(inQueue("once")).isEqualTo(1);
    assertThat(submitted(then(waits).completed()).uniqueKey()).isEqualTo("9981");
  }

  @Test
  void a_job_that_nothing_follows_pays_for_no_statement() throws Exception {
    bench.submitOne();
    bench.countBlocks();
    bench.resetBlocks();

    bench.completeAll(bench.claim(1));

    assertThat(bench.blocks("%insert into ebb.history%")).isPositive();
    assertThat(
            bench.count(
                """
                pg_stat_statements s
                join pg_database d on d.oid = s.dbid and d.datname = current_database()
                where s.query like '%set follow_ups%' or s.query ilike 'savepoint%'
                """))
        .isZero();
  }
}
