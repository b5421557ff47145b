package dev.ebb.db.schema;

import static dev.ebb.db.schema.DmlRole.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.Phase;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.errors.ErrorGroups;
import dev.ebb.db.errors.GroupChange;
import dev.ebb.db.errors.GroupQuery;
import dev.ebb.db.node.Heartbeat;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.NodeView;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.operation.Matched;
import dev.ebb.db.operation.OperationCarrier;
import dev.ebb.db.operation.Operations;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.schedule.FireHistory;
import dev.ebb.db.schedule.ScheduleBench;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Fold;
import dev.ebb.db.stats.Overview;
import dev.ebb.db.stats.OverviewReads;
import dev.ebb.db.stats.StatRetention;
import dev.ebb.db.submit.Submission;
import dev.ebb.db.submit.SubmitAnswer;
import dev.ebb.db.submit.Submitter;
import dev.ebb.db.view.JobView;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine under a role that reads and writes rows and owns nothing, as compose makes it. */
class DmlRoleTest {
  private static final String FORBIDDEN = "42501";

  private static DatabaseConfig owner;
  private static DatabaseConfig node;
  private Bench bench;

  @BeforeAll
  static void migrateAsTheOwner() throws IOException, SQLException {
    DmlRole roles = DmlRole.create();
    owner = roles.owner();
    node = roles.node();
  }

  @BeforeEach
  void open() throws SQLException {
    execute(owner, "truncate ebb.job, ebb.lease, ebb.dead_letter, ebb.history, ebb.attempt");
    execute(owner, "truncate ebb.queue, ebb.limiter");
    bench = new Bench(node);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void a_node_finds_the_schema_current_and_the_server_well() throws SQLException {
    assertThat(Migrations.installed(bench.database)).isEqualTo(Migrations.NEEDED);
    assertThat(ServerFacts.read(bench.database).canCreate()).isFalse();
    assertThat(bench.count("pg_roles where rolname = current_user and not rolsuper")).isOne();
  }

  @Test
  void jobs_are_submitted_read_and_cancelled() throws SQLException {
    UUID plain = bench.submitOne();
    NewJob unique = NewJob.builder("echo", "{}").uniqueKey("once").build();
    UUID first = bench.submit(unique);
    try (Submitter submitter = new Submitter(bench.database, null)) {
      assertThat(submitter.submit(unique).id()).isEqualTo(first);
      assertThat(submitter.submit(NewJob.of("echo", "{}")).duplicate()).isFalse();
    }

    assertThat(bench.queuesWithWork("echo", null)).containsExactly(Bench.QUEUE);
    assertThat(bench.reads.list(JobFilter.ALL.in(Phase.DUE), null, 9).jobs()).hasSize(3);
    assertThat(bench.changes.act(plain, new JobAction.Cancel(), Bench.ACT))
        .isEqualTo(ActionResult.DONE);
    assertThat(bench.changes.act(first, new JobAction.Retry(false), Bench.ACT))
        .isEqualTo(ActionResult.DONE);
    assertThat(bench.reads.find(plain).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void idempotency_keys_are_kept_found_and_forgotten() throws SQLException {
    IdempotencyKey key = IdempotencyKey.of("a", "POST /v1/jobs", "k", "{}");
    Submission once = new Submission(List.of(NewJob.of("echo", "{}")), Set.of(), key);
    assertThat(bench.jobs.submit(once)).isInstanceOf(SubmitAnswer.Stored.class);
    assertThat(bench.jobs.submit(once))
        .isInstanceOfSatisfying(
            SubmitAnswer.Stored.class, stored -> assertThat(stored.replayed()).isTrue());
    // As after the clock was set back.
    bench.execute("update ebb.idempotency set part = (part + 1) % 8");

    assertThat(new Partitions(bench.database).roll(Retention.of(14)))
        .isEqualTo(Partitions.Step.DONE);
    assertThat(bench.count("ebb.idempotency")).as("young keys stay").isOne();
    bench.execute("update ebb.idempotency set created_at = now() - interval '24 hours'");
    assertThat(new Partitions(bench.database).roll(Retention.of(14)))
        .isEqualTo(Partitions.Step.DONE);

    assertThat(bench.count("ebb.idempotency")).isZero();
  }

  @Test
  void a_schedule_is_kept_fired_and_removed() throws SQLException {
    try (ScheduleBench schedules = new ScheduleBench(node)) {
      schedules.put(ScheduleBench.schedule("nightly", ScheduleBench.HOURLY));
      schedules.stopped("nightly", Duration.ofHours(3));

      assertThat(schedules.fireDue().fires()).hasSize(2);
      assertThat(schedules.startWaiting().fires()).isEmpty();
      assertThat(schedules.schedules.run("nightly", Bench.ACT)).isPresent();
      assertThat(new FireHistory(bench.database).prune()).isFalse();
      assertThat(schedules.schedules.delete("nightly", Bench.ACT, _ -> {})).isTrue();
    }
  }

  @Test
  void a_job_is_settled_in_every_way() throws SQLException {
    UUID id = bench.submitOne();

    assertThat(bench.retryAtOnce(bench.claimOne())).isTrue();
    assertThat(settle(new Outcome.NotReady(null), new Settlement.Snooze(Duration.ZERO))).isTrue();
    assertThat(settle(new Outcome.GivenBack(), new Settlement.GiveBack())).isTrue();
    assertThat(bench.deadLetter(bench.claimOne())).isTrue();
    assertThat(bench.reads.find(id).orElseThrow().state()).isEqualTo(JobState.DEAD_LETTER);
    assertThat(bench.changes.act(id, new JobAction.Redrive(true, true), Bench.ACT))
        .isEqualTo(ActionResult.DONE);
    assertThat(settle(new Outcome.Cancelled(), new Settlement.Cancel())).isTrue();
    bench.submitOne();
    assertThat(bench.complete(bench.claimOne())).isTrue();

    assertThat(bench.count("ebb.history")).isEqualTo(2);
    assertThat(bench.attempts(id)).isNotEmpty();
  }

  @Test
  void a_job_is_held_released_changed_and_erased() throws SQLException {
    JobChanges changes = new JobChanges(bench.database);
    Act act = new Act("ada", null, null, null);
    UUID id = bench.submitOne();

    assertThat(changes.act(id, new JobAction.Hold(null), act)).isEqualTo(ActionResult.DONE);
    assertThat(changes.act(id, new JobAction.Release(), act)).isEqualTo(ActionResult.DONE);
    JobView seen = bench.reads.find(id).orElseThrow();
    NewJob other = NewJob.builder("echo", "1").maxAttempts(1).build();
    assertThat(changes.patch(seen, other, act)).isTrue();
    assertThat(changes.submitClone(id, other, act, null)).isInstanceOf(SubmitAnswer.Stored.class);
    assertThat(bench.deadLetter(bench.claimOne())).isTrue();
    assertThat(changes.erase(id, act)).isEqualTo(ActionResult.DONE);
  }

  @Test
  void an_operation_is_started_carried_out_reported_and_forgotten() throws SQLException {
    Operations operations = new Operations(bench.database);
    OperationCarrier carrier = new OperationCarrier(bench.database);
    bench.submitOne();
    assertThat(bench.deadLetter(bench.claimOne())).isTrue();
    OperationPlan plan =
        new OperationPlan(
            new JobAction.Redrive(true, true),
            JobFilter.ALL,
            List.of(),
            null,
            List.of(),
            1.0,
            null,
            0);
    UUID id = operations.start(plan, new Matched(1, true), Bench.ACT).id();

    assertThat(carrier.step()).isPresent();
    assertThat(operations.pause(id, Bench.ACT)).isPresent();
    assertThat(operations.resume(id, Bench.ACT)).isPresent();
    assertThat(operations.report(id, null, 9)).hasSize(1);
    assertThat(operations.cancel(id, Bench.ACT)).isPresent();
    bench.execute("update ebb.operation set ended_at = now() - interval '31 days'");
    assertThat(operations.forget()).isTrue();
    assertThat(operations.page(null, 9)).isEmpty();
  }

  @Test
  void a_lease_is_renewed_reported_on_cancelled_and_rescued() throws SQLException {
    UUID id = bench.submitOne();
    long lease = bench.claim(1).id();

    assertThat(bench.jobs.renew(List.of(lease), Bench.LEASE)).containsOnlyKeys(lease);
    bench.jobs.reportProgress(lease, Map.of(id, "50"));
    assertThat(bench.changes.act(id, new JobAction.Cancel(), Bench.ACT))
        .isEqualTo(ActionResult.REQUESTED);
    assertThat(bench.jobs.cancelRequested()).containsExactly(id);
    assertThat(bench.jobs.bringNear()).isZero();
    assertThat(bench.jobs.expiry().first()).isNotNull();
    bench.expireLeases();
    assertThat(bench.rescue(retry())).hasSize(1);
    assertThat(bench.rescue(retry())).isEmpty();
  }

  @Test
  void a_limit_is_set_used_cut_and_paused() throws SQLException {
    Queues queues = new Queues(bench.database);
    Limiters limiters = new Limiters(bench.database);
    RateLimit rate = RateLimit.of(100, Duration.ofSeconds(1), 3);
    queues.put(Bench.QUEUE, new QueueSettings(false, null, rate, 5), true, Bench.ACT);
    bench.submitOne();

    ClaimedJob claimed = bench.claimOne();

    limiters.throttled(Bench.QUEUE, claimed.claimedAt());
    assertThat(limiters.find(Bench.QUEUE)).isPresent();
    assertThat(limiters.restartWarmUp(Bench.QUEUE, Bench.ACT)).isTrue();
    assertThat(queues.pause(Bench.QUEUE, null, Bench.ACT).pause()).isNotNull();
    assertThat(queues.resume(Bench.QUEUE, true, Bench.ACT)).isPresent();
    assertThat(queues.page(null, 9).queues()).hasSize(1);
  }

  @Test
  void a_node_tells_of_itself_and_is_drained() throws SQLException {
    Nodes nodes = new Nodes(bench.database);
    NodeFacts node =
        new NodeFacts("n", "1", "0", List.of(), List.of("echo"), 1, List.of("4f1c09ab"));
    nodes.start(node, false);

    assertThat(nodes.setDraining("n", true, Bench.ACT)).isPresent();
    Heartbeat beat = new Heartbeat(1, Duration.ofMillis(-3), false, false);
    assertThat(nodes.beat(node, beat).orElseThrow().draining()).isTrue();
    nodes.stop("n");
    nodes.forget();
    assertThat(nodes.find("n").orElseThrow().state()).isEqualTo(NodeView.State.STOPPED);
  }

  @Test
  void dead_letters_are_grouped_acknowledged_and_forgotten() throws SQLException {
    ErrorGroups groups = new ErrorGroups(bench.database);
    bench.submitOne();
    assertThat(bench.deadLetter(bench.claimOne())).isTrue();

    assertThat(groups.groupNew()).isFalse();
    UUID group = groups.page(GroupQuery.ALL, null, 9).groups().getFirst().id();
    GroupChange change = new GroupChange(true, null, new GroupChange.Words("seen"));
    assertThat(groups.change(group, change, Bench.ACT, _ -> {})).isPresent();
    bench.execute("delete from ebb.dead_letter");
    bench.execute("update ebb.error_group set last_seen = '2020-01-01'");
    groups.forget();
    assertThat(groups.find(group)).isEmpty();
  }

  @Test
  void what_was_done_is_counted_folded_read_and_forgotten() throws SQLException {
    bench.submitOne();
    assertThat(bench.complete(bench.claimOne())).isTrue();
    Fold fold = new Fold(bench.database);
    fold.recount();
    Fold.Step step = Fold.Step.DONE;
    // Between the two statements the partitions may take their turns, but once.
    for (int tries = 0; tries < 2 && step == Fold.Step.DONE; tries++) {
      bench.execute(
          "update ebb.tally set part ="
              + " (floor(date_part('epoch', clock_timestamp()) / 15)::bigint + 2) % 4");
      step = fold.step();
    }
    assertThat(step).isEqualTo(Fold.Step.MORE);

    Overview overview = new OverviewReads(bench.database).page("", 1);

    assertThat(overview.all().last().one().of(Counter.COMPLETED)).isPositive();
    assertThat(overview.exactSince()).isNotNull();
    assertThat(new StatRetention(bench.database).prune()).isFalse();
  }

  @Test
  void the_days_of_the_history_are_made_dropped_and_pruned() throws SQLException {
    String old = "ebb.history_20200101";
    execute(
        owner,
        "create table if not exists "
            + old
            + " partition of ebb.history"
            + " for values from ('2020-01-01 00:00Z') to ('2020-01-02 00:00Z')");
    String latest =
        "select 'drop table ' || max(inhrelid::regclass::text) from pg_inherits"
            + " where inhparent = 'ebb.history'::regclass and inhrelid::regclass::text ~ '[0-9]{8}$'";
    execute(owner, "do $$ begin execute (" + latest + "); end $$");

    Partitions partitions = new Partitions(bench.database);
    assertThat(partitions.roll(Retention.of(14))).isEqualTo(Partitions.Step.MORE);
    assertThat(partitions.roll(Retention.of(14))).isEqualTo(Partitions.Step.DONE);

    assertThat(bench.count("pg_class where relname = 'history_20200101'")).isZero();
    assertThat(bench.count("pg_inherits where inhparent = 'ebb.history'::regclass")).isEqualTo(9);
    assertThat(bench.count("pg_tables where schemaname = 'ebb' and tableowner <> 'ebb_owner'"))
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create table ebb.mine (id integer)",
        "create table public.mine (id integer)",
        "create schema mine",
        "drop table ebb.dead_letter",
        "drop table ebb.history_rest",
        "truncate ebb.job",
        "alter table ebb.job disable trigger all",
        "drop schema ebb cascade",
        "alter function ebb.drop_partition(integer) security invoker",
        "copy ebb.job from program 'true'",
        "set role ebb_owner",
        "create temporary table mine (id integer)",
        "select from ebb.qrtz_calendars",
        "insert into ebb.qrtz_calendars values ('ebb', 'c', '')",
        "update ebb.qrtz_calendars set calendar = ''",
        "delete from ebb.qrtz_calendars",
        "insert into ebb.qrtz_blob_triggers values ('ebb', 't', 'g', '')",
        "update ebb.qrtz_blob_triggers set blob_data = ''",
        "update ebb.audit set changes = null"
      })
  void what_a_node_has_no_need_of_is_refused(String statement) {
    assertThat(refusal(node, statement).getSQLState()).as(statement).isEqualTo(FORBIDDEN);
  }

  @Test
  void nobody_else_may_make_or_drop_days() throws SQLException {
    TestPostgres.shared().execute("create role stranger login password 's'");
    execute(owner, "grant usage on schema ebb to stranger");
    execute(superuser(), "grant connect on database " + name() + " to stranger");
    DatabaseConfig stranger = DatabaseConfig.of(node.url(), "stranger", "s");

    for (String call :
        List.of(
            "ebb.make_partitions(1)",
            "ebb.drop_partition(14)",
            "ebb.drop_attempts(14)",
            "ebb.forget_keys()",
            "ebb.forget_delivered()",
            "ebb.forget_events()",
            "ebb.empty_tally(1::smallint)",
            "ebb.recount_queues()",
            "ebb.make_audit_months(1)",
            "ebb.drop_audit_month()")) {
      assertThat(refusal(stranger, "select " + call).getMessage())
          .contains("permission denied for function");
    }
  }

  private static SQLException refusal(DatabaseConfig config, String sql) {
    try {
      execute(config, sql);
    } catch (SQLException refused) {
      return refused;
    }
    throw new AssertionError(sql + " was not refused");
  }

  private boolean settle(Outcome outcome, Settlement settlement) throws SQLException {
    return bench.settle(bench.claimOne(), outcome, settlement);
  }

  private static Settlement retry() {
    return new Settlement.Retry(Duration.ZERO, new Failure(Failure.WORKER_LOST, "lost"));
  }

  private static String name() {
    return TestPostgres.nameOf(node);
  }

  private static DatabaseConfig superuser() {
    return TestPostgres.shared().config(name());
  }
}
