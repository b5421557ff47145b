package dev.ebb.db.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.WebhookId;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.JobQueue;
import dev.ebb.db.Sabotage;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.CuttingProxy;
import dev.ebb.db.connection.Database;
import dev.ebb.db.schema.Partitions;
import dev.ebb.db.schema.Retention;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Submits with an idempotency key. */
class IdempotencyTest {
  /** What the server says once a batch of keys is committed. */
  private static final String COMMITTED = "C\0\0\0\015SELECT 1\0Z\0\0\0\005I";

  /** What it says once an insert that is a transaction of its own is. */
  private static final String INSERTED = "C\0\0\0\017INSERT 0 1\0";

  private static final String WAITING =
      """
      pg_locks
      where not granted and relation = 'ebb.job'::regclass
        and database = (select oid from pg_database where datname = current_database())
      """;

  /** What an insert that {@link #STOP} stops waits for. */
  private static final String STOPPED =
      """
      pg_locks
      where not granted and locktype = 'advisory' and objid = 77
        and database = (select oid from pg_database where datname = current_database())
      """;

  /** Lets each new row wait for a lock. */
  private static final String STOP =
      """
      create function ebb.stop() returns trigger language plpgsql as $$ begin
        perform pg_advisory_xact_lock(77);
        return new;
      end $$;
      create trigger stop before insert on ebb.job for each row execute function ebb.stop()
      """;

  private static final NewJob JOB = NewJob.of("echo", "3");
  private static final Duration AMPLE = Duration.ofSeconds(20);
  private static final int MOST_BLOCKS = 100;

  private static final String SMALLEST_PARTITION =
      """
      generate_series(1, (
        select min(pg_relation_size(inhrelid)) / 8192
        from pg_inherits
        where inhparent = 'ebb.idempotency'::regclass))
      """;

  private Bench bench;
  private Submitter submitter;

  @BeforeEach
  void open() {
    open(new Bench());
  }

  private void open(Bench opened) {
    bench = opened;
    submitter = new Submitter(bench.database, null);
  }

  @AfterEach
  void close() {
    submitter.close();
    bench.close();
  }

  private static IdempotencyKey key(String key, String request) {
    return IdempotencyKey.of("a", "POST /v1/jobs", key, request);
  }

  private static Submission one(String key) {
    return one(key, NewJob.builder("echo", "1").delay(Duration.ofMinutes(1)).build());
  }

  private static Submission one(String key, NewJob job) {
    return new Submission(List.of(job), Set.of(), key(key, job.payload()));
  }

  private static NewJob unique(String key) {
    return NewJob.builder("echo", "1").uniqueKey(key).build();
  }

  private static Submission batch(Set<Integer> strict, String key, NewJob... jobs) {
    return new Submission(List.of(jobs), strict, key(key, "batch"));
  }

  private static List<Submitted> jobs(SubmitAnswer answer, boolean replayed) {
    assertThat(answer).isInstanceOf(SubmitAnswer.Stored.class);
    SubmitAnswer.Stored stored = (SubmitAnswer.Stored) answer;
    assertThat(stored.replayed()).isEqualTo(replayed);
    return stored.jobs();
  }

  @Test
  void whoever_repeats_a_submit_is_told_the_same_and_nothing_is_stored() throws SQLException {
    List<Submitted> first = jobs(submitter.submit(one("k")), false);

    assertThat(jobs(submitter.submit(one("k")), true)).isEqualTo(first);
    assertThat(jobs(bench.jobs.submit(one("k")), true)).isEqualTo(first);
    assertThat(jobs(submitter.submit(one("other")), false)).doesNotContainAnyElementsOf(first);
    assertThat(bench.count("ebb.job")).isEqualTo(2);
  }

  @Test
  void whoever_repeats_a_batch_is_told_the_same_of_each_job() throws SQLException {
    UUID holder = bench.submit(unique("held"));
    NewJob late = NewJob.builder("echo", "2").maxAttempts(3).delay(Duration.ofDays(3)).build();
    Submission batch = batch(Set.of(), "k", late, unique("held"), NewJob.of("echo", "3"));
    List<Submitted> first = jobs(bench.jobs.submit(batch), false);

    assertThat(first.get(1)).isEqualTo(Submitted.duplicateOf(holder));
    assertThat(jobs(bench.jobs.submit(batch), true)).isEqualTo(first);
    assertThat(bench.count("ebb.job")).isEqualTo(3);
  }

  @Test
  void after_a_loss_a_repeated_request_makes_jobs_that_receivers_know_by_the_same_ids()
      throws SQLException {
    List<Submission> requests =
        List.of(one("plain"), one("unique", unique("u")), batch(Set.of(), "b", JOB, JOB));
    for (Submission request : requests) {
      List<Submitted> lost = submitted(request);
      bench.execute("delete from ebb.job");
      bench.execute("delete from ebb.idempotency");

      List<Submitted> again = submitted(request);

      assertThat(again).doesNotContainAnyElementsOf(lost);
      assertThat(webhookIds(again)).isEqualTo(webhookIds(lost)).doesNotHaveDuplicates();
    }
  }

  @Test
  void a_job_with_a_key_that_has_ended_is_found_and_not_taken_for_lost() throws SQLException {
    UUID id = jobs(submitter.submit(one("k", JOB)), false).getFirst().id();
    bench.complete(bench.claimOne());
    Acknowledged.Job job = new Acknowledged.Job(id, Bench.QUEUE, null, Instant.now());

    assertThat(bench.reads.states(List.of(id))).containsEntry(id, JobState.COMPLETED);
    assertThat(bench.database.<Integer>inTransaction(on -> LostJobs.keepMissing(on, List.of(job))))
        .isZero();
  }

  private List<Submitted> submitted(Submission request) throws SQLException {
    boolean single = request.jobs().size() == 1;
    return jobs(single ? submitter.submit(request) : bench.jobs.submit(request), false);
  }

  private static List<String> webhookIds(List<Submitted> jobs) {
    return jobs.stream().map(job -> WebhookId.of(job.id())).toList();
  }

  @Test
  void another_request_with_the_key_is_refused() throws SQLException {
    UUID id = jobs(submitter.submit(one("k")), false).getFirst().id();
    Instant createdAt = bench.reads.find(id).orElseThrow().times().createdAt();

    SubmitAnswer other = submitter.submit(one("k", NewJob.of("echo", "2")));

    assertThat(other).isEqualTo(new SubmitAnswer.KeyReused(createdAt, id));
    assertThat(bench.count("ebb.job")).isOne();
  }

  @Test
  void a_key_is_good_for_24_hours_whether_it_was_forgotten_or_not() throws SQLException {
    List<Submitted> first = jobs(submitter.submit(one("k")), false);
    bench.execute("update ebb.idempotency set created_at = now() - interval '23 hours 59 minutes'");
    assertThat(jobs(submitter.submit(one("k")), true).getFirst().id())
        .isEqualTo(first.getFirst().id());

    bench.execute("update ebb.idempotency set created_at = now() - interval '24 hours'");

    List<Submitted> second = jobs(submitter.submit(one("k")), false);
    assertThat(jobs(submitter.submit(one("k")), true)).isEqualTo(second);
    assertThat(bench.count("ebb.job")).isEqualTo(2);
  }

  @Test
  void the_answer_outlives_the_job() throws SQLException {
    List<Submitted> first = jobs(submitter.submit(one("k")), false);
    bench.changes.act(first.getFirst().id(), new JobAction.Cancel(), Bench.ACT);
    bench.execute("delete from ebb.history");

    assertThat(jobs(submitter.submit(one("k")), true)).isEqualTo(first);
    assertThat(bench.count("ebb.job")).isZero();
  }

  @Test
  void a_strict_duplicate_is_refused_and_uses_no_key() throws SQLException {
    UUID holder = bench.submit(unique("held"));
    Submission strict = new Submission(List.of(unique("held")), Set.of(0), key("k", "1"));

    assertThat(submitter.submit(strict)).isEqualTo(new SubmitAnswer.Duplicate(0, holder));
    assertThat(submitter.submit(new Submission(strict.jobs(), Set.of(0), null)))
        .isEqualTo(new SubmitAnswer.Duplicate(0, holder));
    assertThat(bench.count("ebb.idempotency")).isZero();
    bench.changes.act(holder, new JobAction.Cancel(), Bench.ACT);
    assertThat(jobs(submitter.submit(strict), false).getFirst().duplicate()).isFalse();
  }

  @Test
  void a_strict_duplicate_has_its_whole_batch_refused() throws SQLException {
    UUID holder = bench.submit(unique("held"));
    NewJob plain = NewJob.of("echo", "1");

    assertThat(bench.jobs.submit(batch(Set.of(2), "k", plain, unique("b"), unique("held"))))
        .isEqualTo(new SubmitAnswer.Duplicate(2, holder));
    assertThat(bench.jobs.submit(batch(Set.of(1), "k", unique("twice"), unique("twice"))))
        .isEqualTo(new SubmitAnswer.Duplicate(1, null));
    assertThat(bench.count("ebb.job")).isOne();
    assertThat(bench.count("ebb.idempotency")).isZero();
    assertThat(jobs(bench.jobs.submit(batch(Set.of(1), "k", plain, unique("b"))), false))
        .hasSize(2);
  }

  @Test
  void while_one_is_being_written_others_with_its_key_are_refused_by_every_node() throws Exception {
    ConcurrentLinkedQueue<SubmitAnswer> answers = new ConcurrentLinkedQueue<>();
    bench.execute(STOP);
    try (Connection stopping = TestPostgres.connect(bench.config);
        Bench node = new Bench(bench.config);
        Submitter elsewhere = new Submitter(node.database, null)) {
      stopping.setAutoCommit(false);
      stopping.createStatement().execute("select pg_advisory_xact_lock(77)");
      Thread first = Thread.ofVirtual().start(() -> answers.add(submit(one("k"))));
      bench.awaitRow(STOPPED, AMPLE);

      assertThat(submitter.submit(one("k"))).isEqualTo(new SubmitAnswer.InFlight());
      assertThat(elsewhere.submit(one("k"))).isEqualTo(new SubmitAnswer.InFlight());
      assertThat(node.jobs.submit(one("k"))).isEqualTo(new SubmitAnswer.InFlight());
      stopping.rollback();
      first.join();

      List<Submitted> stored = jobs(answers.remove(), false);
      assertThat(jobs(elsewhere.submit(one("k")), true)).isEqualTo(stored);
      assertThat(bench.count("ebb.job")).isOne();
    }
  }

  private SubmitAnswer submit(Submission submission) {
    try {
      return submitter.submit(submission);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void two_processes_that_use_a_key_at_once_store_one_job() throws Exception {
    assertThat(KeyRace.run(bench.config)).isOne();
  }

  @Test
  void control_without_its_lock_a_key_stores_two() throws Exception {
    List<String> command =
        Sabotage.javaWith(
            List.of(KeyedBatch.class, KnownKeys.class),
            sql -> sql.replace("pg_try_advisory_xact_lock(i.number)", "i.number is not null"),
            KeyRace.class,
            bench.config.url());

    assertThat(Sabotage.lastLine(command)).isEqualTo("2");
  }

  @Test
  void whoever_is_cut_off_after_the_commit_is_told_of_it_when_he_tries_again() throws Exception {
    AtomicBoolean cuts = new AtomicBoolean(true);
    // The pool's other connections are answered so, too: no answer passes once the job stands.
    BooleanSupplier stands = () -> cuts.get() && areJobs();
    try (CuttingProxy proxy = new CuttingProxy(TestPostgres.shared().port(), COMMITTED, stands);
        Database database = TestPostgres.open(proxy.through(bench.config));
        Submitter cut = new Submitter(database, null)) {
      assertThatThrownBy(() -> cut.submit(one("k"))).isInstanceOf(SQLException.class);
      assertThat(bench.count("ebb.job")).isOne();

      cuts.set(false);
      jobs(cut.submit(one("k")), true);
      assertThat(bench.count("ebb.job")).isOne();
    }
  }

  private boolean areJobs() {
    try {
      return bench.count("ebb.job") > 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void control_without_a_key_whoever_is_cut_off_stores_two() throws Exception {
    NewJob job = NewJob.of("echo", "1");
    try (CuttingProxy proxy = proxy(INSERTED);
        Database database = TestPostgres.open(proxy.through(bench.config));
        Submitter cut = new Submitter(database, null)) {
      assertThatThrownBy(() -> cut.submit(job)).isInstanceOf(SQLException.class);
      cut.submit(job);

      assertThat(bench.count("ebb.job")).isEqualTo(2);
    }
  }

  private CuttingProxy proxy(String cutAt) throws Exception {
    return new CuttingProxy(TestPostgres.shared().port(), cutAt, 1);
  }

  @Test
  void submits_with_keys_share_their_commits() throws Exception {
    close();
    open(new Bench());
    List<Thread> callers = new ArrayList<>();
    ConcurrentLinkedQueue<SubmitAnswer> answers = new ConcurrentLinkedQueue<>();
    try (Connection stopping = TestPostgres.connect(bench.config)) {
      stopping.setAutoCommit(false);
      stopping.createStatement().execute("lock table ebb.job in exclusive mode");
      for (int i = 0; i < 50; i++) {
        // Not the first: who waits for a unique key is set aside, however late the others come.
        NewJob job = i % 3 == 1 ? unique("u" + i) : NewJob.of("echo", "1");
        Submission submission = one("k" + i, job);
        callers.add(Thread.ofVirtual().start(() -> answers.add(submit(submission))));
        if (i == 0) {
          bench.awaitRow(WAITING, AMPLE);
        }
      }
      long deadline = System.nanoTime() + AMPLE.toNanos();
      while (submitter.waiting() < 49 && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      stopping.rollback();
    }
    for (Thread caller : callers) {
      caller.join();
    }

    assertThat(answers).hasSize(50).allSatisfy(answer -> jobs(answer, false));
    assertThat(bench.count("(select distinct xmin::text from ebb.job) as transaction"))
        .as("the first wrote for itself, the others together")
        .isEqualTo(2);
    assertThat(bench.count("(select distinct xmin::text from ebb.idempotency) as transaction"))
        .isEqualTo(2);
  }

  @Test
  void what_the_database_refuses_uses_no_key_and_harms_no_neighbour() throws Exception {
    bench.execute("alter table ebb.job add constraint clean check (kind <> 'poison')");
    Submission poison = one("poison", NewJob.of("poison", "1"));
    Crowd crowd =
        new Crowd(
            bench.config, job -> jobs(submitter.submit(one(job.kind(), job)), false).getFirst());
    Stream.of("a", "poison", "b", "c").forEach(kind -> crowd.submit(NewJob.of(kind, "1")));
    crowd.join();

    assertThat(crowd.failed).containsOnlyKeys(NewJob.of("poison", "1"));
    assertThat(bench.count("ebb.job")).isEqualTo(3);
    bench.execute("alter table ebb.job drop constraint clean");
    jobs(submitter.submit(poison), false);
  }

  @Test
  void a_key_whose_submit_met_a_held_unique_key_may_be_used_again() throws SQLException {
    Submission held = one("k", unique("held"));
    try (Connection open = TestPostgres.connect(bench.config)) {
      open.setAutoCommit(false);
      JobQueue.submit(open, List.of(unique("held")));
      assertThatThrownBy(() -> submitter.submit(held)).isInstanceOf(UniqueKeyLocked.class);
      open.rollback();
    }

    List<Submitted> stored = jobs(submitter.submit(held), false);
    assertThat(jobs(submitter.submit(held), true)).isEqualTo(stored);
  }

  /** The plan that was made for empty partitions is kept. */
  @Test
  void a_submit_takes_few_blocks_among_very_many_keys_that_came_after_its_plan()
      throws SQLException {
    bench.countBlocks();
    for (int i = 0; i < 20; i++) {
      jobs(submitter.submit(one("k" + i)), false);
    }
    bench.execute(
        """
        insert into ebb.idempotency (key, fingerprint, part, job_ids, run_at, max_attempts)
        select gen_random_uuid(), gen_random_uuid(), i % 8, '{}', '{}', '{}'
        from generate_series(1, 200000) as i
        """);

    long blocks = leastBlocks(5);
    System.out.printf("a submit with a key, among very many: %s blocks%n", blocks);
    assertThat(blocks).isBetween(1L, (long) MOST_BLOCKS);
    assertThat(bench.count(SMALLEST_PARTITION)).isGreaterThan(2 * MOST_BLOCKS);
  }

  /** Of so many submits: the first of a new connection reads the catalog, too. */
  private long leastBlocks(int submits) throws SQLException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < submits; i++) {
      bench.resetBlocks();
      jobs(submitter.submit(one("measured" + i)), false);
      least = Math.min(least, bench.blocks("%ebb.idempotency%"));
    }
    return least;
  }

  @Test
  void keys_are_forgotten_by_the_partition_and_none_of_the_last_24_hours() throws SQLException {
    String insert =
        """
        insert into ebb.idempotency (key, fingerprint, created_at, part, job_ids, run_at, max_attempts)
        select gen_random_uuid(), gen_random_uuid(), at, floor(extract(epoch from at) / 14400)::bigint % 8,
          '{}', '{}', '{}'
        from generate_series(now() - interval '28 hours', now(), interval '1 minute') as at
        """;
    bench.execute(insert);
    String old = "ebb.idempotency where created_at < now() - interval '24 hours'";
    long young = bench.count("ebb.idempotency") - bench.count(old);

    assertThat(new Partitions(bench.database).roll(Retention.of(14)))
        .isEqualTo(Partitions.Step.DONE);

    assertThat(bench.count(old)).isLessThanOrEqualTo(Duration.ofHours(4).toMinutes());
    assertThat(bench.count("ebb.idempotency") - bench.count(old)).isEqualTo(young);
    assertThat(bench.count("(select distinct part from ebb.idempotency) as p")).isEqualTo(7);
  }

  @Test
  void a_key_stands_for_one_job_at_least() {
    assertThatThrownBy(() -> new Submission(List.of(), Set.of(), key("k", "")))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void a_key_is_its_clients_and_its_operations() {
    List<IdempotencyKey> keys =
        Stream.of("a|b|k|r", "c|b|k|r", "a|c|k|r", "a|b|l|r")
            .map(text -> text.split("\\|", -1))
            .map(parts -> IdempotencyKey.of(parts[0], parts[1], parts[2], parts[3]))
            .toList();

    assertThat(keys).extracting(IdempotencyKey::id).doesNotHaveDuplicates();
    assertThat(keys)
        .extracting(IdempotencyKey::fingerprint)
        .containsOnly(keys.getFirst().fingerprint());
    assertThat(IntStream.range(0, 100).mapToObj(i -> key("k", " " + i).fingerprint()))
        .doesNotHaveDuplicates();
  }
}
