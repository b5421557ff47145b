package dev.ebb.bench.contender;

import dev.ebb.api.ApiConfig;
import dev.ebb.api.EbbApi;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.machine.Target;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.cron.ScheduleRunner;
import dev.ebb.db.JobQueue;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Claimer;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.schema.Migrations;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.submit.Submitter;
import dev.ebb.ui.Dashboard;
import dev.ebb.worker.Worker;
import dev.ebb.worker.WorkerConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Ebb with the two pools of its role {@code server} and its own defaults, but for how many jobs run
 * at a time.
 */
public final class EbbContender implements Contender, DirectClaims {
  private static final String KIND = "bench";
  private static final String NODE = "bench";
  private static final int BULK = 1_000;

  /** Up to as many queues, a batch is of one. */
  private static final int FEW = 20;

  /** Longer than any measurement, so that no claim made by hand expires. */
  private static final Duration LONG_LEASE = Duration.ofHours(1);

  /** The delay that every contender has: one second, without jitter. */
  private static final RetryPolicy AFTER_A_SECOND =
      RetryPolicy.of(
          new Backoff.None(new Growth(Duration.ofSeconds(1), 1, Duration.ofSeconds(1))), 5);

  private final DatabaseConfig config;
  private final Way way;
  private int queues = 1;
  private @Nullable Submitting submitting;
  private @Nullable Database workers;
  private final Deque<Runnable> closers = new ArrayDeque<>();
  private final Set<Long> held = new HashSet<>();
  private @Nullable Lease claimed;

  private record Submitting(
      Database database, JobQueue jobs, Claimer claimer, Notifier notifier, Submitter submitter) {}

  EbbContender(Target target) {
    this(target, Way.PLAIN);
  }

  private EbbContender(Target target, Way way) {
    this.config = config(target);
    this.way = way;
  }

  /** How its jobs come. */
  private enum Way {
    PLAIN,
    LABELLED,
    SQL
  }

  /** The same with {@link Labels} on each job. */
  static EbbContender labelled(Target target) {
    return new EbbContender(target, Way.LABELLED);
  }

  /** The same, whose jobs are submitted by functions of the database. */
  static EbbContender bySql(Target target) {
    return new EbbContender(target, Way.SQL);
  }

  public static DatabaseConfig config(Target target) {
    return DatabaseConfig.of(target.url(), target.user(), target.password());
  }

  @Override
  public boolean spreadOver(int queues) {
    this.queues = queues;
    return true;
  }

  private String queue(int index) {
    return queues == 1 ? NewJob.DEFAULT_QUEUE : "queue-" + index;
  }

  @Override
  public void install() throws SQLException {
    Migrations.migrate(config);
    try (Database database = Database.open(config)) {
      put(database, QueueSettings.of(false, AFTER_A_SECOND));
    }
  }

  /** Gives each queue a limit of so many a second, without a warm-up. */
  public void limit(double perSecond) throws SQLException {
    put(
        submitting().database(),
        new QueueSettings(false, AFTER_A_SECOND, RateLimit.of(perSecond, Duration.ZERO, 1), null));
  }

  private static final String LIKE_THE_FIRST =
      """
      insert into ebb.queue (name, policy, rate_limit)
      select 'queue-' || i, q.policy, q.rate_limit
      from ebb.queue q
      cross join generate_series(1, ?) i
      where q.name = 'queue-0'
      on conflict (name) do update set rate_limit = excluded.rate_limit
      """;

  private void put(Database database, QueueSettings all) throws SQLException {
    new Queues(database).put(queue(0), all, true, Act.onMachine("bench"));
    try (Connection connection = database.connection()) {
      var _ = Statements.update(connection, LIKE_THE_FIRST, p -> p.integer(queues - 1));
    }
  }

  @Override
  public void open() {
    Database database = Database.open(config);
    Notifier notifier = new Notifier(database, new FailureLog(new SimpleMeterRegistry()));
    Submitter submitter = new Submitter(database, notifier);
    Claimer claimer = new Claimer(database);
    submitting = new Submitting(database, new JobQueue(database), claimer, notifier, submitter);
    workers = Database.open(config);
  }

  private Submitting submitting() {
    if (submitting == null) {
      throw new IllegalStateException("not open");
    }
    return submitting;
  }

  private Database workers() {
    if (workers == null) {
      throw new IllegalStateException("not open");
    }
    return workers;
  }

  private NewJob job(int number, String queue, Duration dueIn) {
    NewJob.Builder job =
        NewJob.builder(KIND, Payload.of(number)).queue(queue).delay(dueIn.isZero() ? null : dueIn);
    return way == Way.LABELLED
        ? job.uniqueKey(Labels.key(number)).labels(Labels.of(number)).build()
        : job.build();
  }

  @Override
  public void fill(int from, int to, Duration dueIn) throws SQLException {
    for (int start = from; start < to; start += BULK) {
      int batch = start / BULK;
      int end = Math.min(to, start + BULK);
      submit(
          IntStream.range(start, end)
              .mapToObj(i -> job(i, queue((queues > FEW ? i : batch) % queues), dueIn))
              .toList());
    }
  }

  private void submit(List<NewJob> jobs) throws SQLException {
    if (way == Way.SQL) {
      SqlSubmits.many(submitting().database(), jobs);
    } else {
      submitting().jobs().submit(jobs);
    }
  }

  /** The same in a queue of their own. */
  public void fillLoud(int from, int to) throws SQLException {
    for (int start = from; start < to; start += BULK) {
      int end = Math.min(to, start + BULK);
      submitting()
          .jobs()
          .submit(
              IntStream.range(start, end).mapToObj(i -> job(i, "loud", Duration.ZERO)).toList());
    }
  }

  /** As the API does it: jobs submitted at once share a commit, and NOTIFY follows it. */
  @Override
  public void submit(int number) throws SQLException {
    int queue = new Random(number).nextInt(queues);
    NewJob job = job(number, queue(queue), Duration.ZERO);
    if (way == Way.SQL) {
      SqlSubmits.one(submitting().database(), job);
    } else {
      submitting().submitter().submit(job);
    }
  }

  @Override
  public String settings() {
    return String.format(
        Locale.ROOT,
        "two pools of %d connections, as in its role `server`; %,d jobs at a time",
        config.poolSize(),
        bestConcurrency());
  }

  /** The default is 500. A virtual thread costs little, and a claim takes as many jobs. */
  @Override
  public int bestConcurrency() {
    return 2_000;
  }

  @Override
  public void start(Work work, int concurrency) {
    start(work, concurrency, queues == 1);
  }

  /** The same for jobs of the first queue alone. */
  public void startOnFirstQueue(Work work, int concurrency) {
    start(work, concurrency, true);
  }

  /** A node of one queue names it, or the queue would get half of the slots. */
  private void start(Work work, int concurrency, boolean isFirstAlone) {
    WorkerConfig all = WorkerConfig.defaults().withConcurrency(concurrency);
    Worker worker =
        Worker.start(
            workers(),
            isFirstAlone ? all.withQueues(List.of(queue(0))) : all,
            Map.of(
                KIND,
                context -> {
                  work.run(Payload.number(context.job().payload()));
                  return Outcome.completed();
                }),
            new SimpleMeterRegistry());
    closers.push(worker::close);
  }

  /** Starts a node that delivers to {@link Destinations}, so many at a time. */
  public void deliver(int concurrency) {
    closers.push(Destinations.deliver(workers(), concurrency));
  }

  /** Fires schedules beside the worker, as its node does. */
  public void fire() {
    closers.push(ScheduleRunner.start(workers(), NODE, new SimpleMeterRegistry())::close);
  }

  @Override
  public void stop() {
    while (!closers.isEmpty()) {
      closers.pop().run();
    }
  }

  /** Starts the REST API with the dashboard, and answers its port. */
  public int serve(boolean open) {
    AccessConfig access = open ? AccessConfig.openToAll() : AccessConfig.of(null, List.of());
    ApiConfig config = ApiConfig.of("127.0.0.1", 0).withAccess(access);
    EbbApi api = EbbApi.start(config, submitting().database(), () -> true, Dashboard.MOUNT);
    closers.push(api::close);
    return api.port();
  }

  @Override
  public int claim(int queue, int most) throws SQLException {
    ClaimRequest request = ClaimRequest.of(queue(queue), NODE, List.of(KIND), most, LONG_LEASE);
    claimed = submitting().claimer().claim(request, held).lease().orElse(null);
    if (claimed != null) {
      held.add(claimed.id());
    }
    return claimed == null ? 0 : claimed.jobs().size();
  }

  @Override
  public void settle() throws SQLException {
    if (claimed == null) {
      return;
    }
    List<FinishedAttempt> batch = new ArrayList<>();
    for (ClaimedJob job : claimed.jobs()) {
      batch.add(
          new FinishedAttempt(
              job,
              Outcome.completed(),
              new Settlement.Complete(),
              NODE,
              System.nanoTime(),
              Duration.ZERO,
              null));
    }
    if (!submitting().jobs().settle(batch, List.of(claimed.id())).isEmpty()) {
      throw new SQLException("jobs that were claimed by hand could not be settled");
    }
    held.remove(claimed.id());
  }

  private static final String UNFINISHED =
      """
      select count(*) from ebb.job
      """;

  @Override
  public long unfinished(Connection connection) throws SQLException {
    return Sql.number(connection, UNFINISHED);
  }

  private static final String SUCCEEDED =
      """
      select count(*) from ebb.history where not cancelled
      """;

  @Override
  public OptionalLong succeeded(Connection connection) throws SQLException {
    return OptionalLong.of(Sql.number(connection, SUCCEEDED));
  }

  private static final String FAILED_ATTEMPTS =
      """
      select count(*) from ebb.attempt where outcome = 'failed'
      """;

  @Override
  public OptionalLong failedAttempts(Connection connection) throws SQLException {
    return OptionalLong.of(Sql.number(connection, FAILED_ATTEMPTS));
  }

  private static final String MISRUN =
      """
      select count(*)
      from (
        select id
        from (
          select id, attempt as number from ebb.history
          union all
          select job_id, number from ebb.attempt
        ) run
        group by id
        having count(*) <> ? or min(number) <> 1 or max(number) <> count(*)
      ) wrong
      """;

  @Override
  public OptionalLong misrun(Connection connection, int times) throws SQLException {
    return OptionalLong.of(Sql.number(connection, MISRUN, times));
  }

  @Override
  public void close() {
    stop();
    if (workers != null) {
      workers.close();
    }
    if (submitting != null) {
      submitting.submitter().close();
      submitting.notifier().close();
      submitting.database().close();
    }
  }
}
