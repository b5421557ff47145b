package dev.ebb.bench.contender;

import static org.jobrunr.scheduling.JobBuilder.aJob;
import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.zaxxer.hikari.HikariDataSource;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.machine.Target;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jobrunr.jobs.filters.JobFilter;
import org.jobrunr.jobs.filters.RetryFilter;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobPerformer;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.server.JobSteward;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.StorageProviderUtils.DatabaseOptions;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * JobRunr on its PostgreSQL storage. It keeps what succeeded. A poll moves into its queue what is
 * due before the next poll, hence a retry comes anywhere from at once to two polls later.
 */
public final class JobRunrContender implements Contender {
  private static final String UNFINISHED =
      """
      select count(*)
      from jobrunr_jobs
      where state in ('AWAITING', 'SCHEDULED', 'ENQUEUED', 'PROCESSING')
      """;

  private static final String SUCCEEDED =
      """
      select count(*)
      from jobrunr_jobs
      where state = 'SUCCEEDED'
      """;

  /** A job's states, one after the other, stand in its document. */
  private static final String FAILED_ATTEMPTS =
      """
      select count(*)
      from jobrunr_jobs
      cross join jsonb_path_query(jobasjson::jsonb, '$.jobHistory[*].state') past
      where past #>> '{}' = 'FAILED'
      """;

  /** The shortest that it permits on a database; an idle node finds new jobs only by this. */
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

  private static final int RETRIES = 10;

  /** The n-th retry comes after this to the power of n: always a second. */
  private static final int BACKOFF_SECONDS = 1;

  private final Target target;
  private final Jackson3JsonMapper json = new Jackson3JsonMapper();
  private @Nullable HikariDataSource pool;
  private @Nullable PostgresStorageProvider storage;
  private @Nullable JobRequestScheduler scheduler;
  private @Nullable JobRunrNode node;

  public JobRunrContender(Target target) {
    this.target = target;
  }

  @Override
  public void install() {
    try (HikariDataSource migrating = PeerPool.open(target, "jobrunr-install")) {
      new PostgresStorageProvider(migrating, DatabaseOptions.CREATE).close();
    }
  }

  @Override
  public void open() {
    silence();
    pool = PeerPool.open(target, "jobrunr");
    storage = new PostgresStorageProvider(pool, DatabaseOptions.SKIP_CREATE);
    storage.setJobMapper(new JobMapper(json));
    scheduler = new JobRequestScheduler(storage);
  }

  /** A stream is stored in batches of 5,000. */
  @Override
  public void fill(int from, int to, Duration dueIn) {
    Stream<Numbered> jobs = IntStream.range(from, to).mapToObj(Numbered::of);
    if (dueIn.isZero()) {
      scheduler().enqueue(jobs);
    } else {
      scheduler().create(jobs.map(job -> aJob().withJobRequest(job).scheduleIn(dueIn)));
    }
  }

  @Override
  public void submit(int number) {
    scheduler().enqueue(Numbered.of(number));
  }

  @Override
  public void start(Work work, int concurrency) {
    // One connection per worker, to store its job's end, and those of the node's own loops.
    opened(pool).setMaximumPoolSize(PeerPool.SUBMITTERS + concurrency);
    // Virtual threads are its default on this JDK. The workers are also the size of a claim: a
    // worker that ends a job claims for all that are idle.
    JobRunrNode server =
        new JobRunrNode(
            opened(storage),
            json,
            new Activator(new Handler(work)),
            usingStandardBackgroundJobServerConfiguration()
                .andPollInterval(POLL_INTERVAL)
                .andWorkerCount(concurrency));
    server.setJobFilters(List.of(new RetryFilter(RETRIES, BACKOFF_SECONDS)));
    server.start();
    node = server;
  }

  @Override
  public String settings() {
    return "polling every %s s, the shortest it permits; %s virtual threads, a connection for each"
        .formatted(POLL_INTERVAL.toSeconds(), bestConcurrency());
  }

  /** It writes a line per failure, and one per filter that took 10 ms; no setting says less. */
  private static void silence() {
    String performer = BackgroundJobPerformer.class.getName();
    String filters = JobFilter.class.getPackageName();
    for (String talker : List.of(performer, filters)) {
      ((Logger) LoggerFactory.getLogger(talker)).setLevel(Level.OFF);
    }
  }

  @Override
  public void stop() {
    JobRunrNode running = node;
    node = null;
    if (running != null) {
      awaitIdle(running.getJobSteward());
      running.stopForGood();
    }
  }

  /** A worker that ends while the server takes its lock to stop holds the stop up for 10 s. */
  private static void awaitIdle(JobSteward steward) {
    long deadline = System.nanoTime() + Duration.ofSeconds(1).toNanos();
    while (steward.getOccupiedWorkerCount() > 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
    LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
  }

  @Override
  public long unfinished(Connection connection) throws SQLException {
    return Sql.number(connection, UNFINISHED);
  }

  @Override
  public OptionalLong succeeded(Connection connection) throws SQLException {
    return OptionalLong.of(Sql.number(connection, SUCCEEDED));
  }

  @Override
  public OptionalLong failedAttempts(Connection connection) throws SQLException {
    return OptionalLong.of(Sql.number(connection, FAILED_ATTEMPTS));
  }

  /** From 32 to 100 the rate is the same; so many is also the most that one claim takes. */
  @Override
  public int bestConcurrency() {
    return 50;
  }

  @Override
  public void close() {
    stop();
    if (storage != null) {
      storage.close();
    }
    if (pool != null) {
      pool.close();
    }
  }

  private JobRequestScheduler scheduler() {
    return opened(scheduler);
  }

  private static <T> T opened(@Nullable T part) {
    return Objects.requireNonNull(part, "not open");
  }

  /**
   * A server that stays stopped. A heartbeat under way while it stops finds its row gone, takes
   * that for a timeout, and would start it again.
   */
  private static final class JobRunrNode extends BackgroundJobServer {
    private volatile boolean over;

    JobRunrNode(
        StorageProvider storage,
        JsonMapper json,
        JobActivator activator,
        BackgroundJobServerConfiguration configuration) {
      super(storage, json, activator, configuration);
    }

    @Override
    public void start(boolean guard) {
      if (!over) {
        super.start(guard);
      }
    }

    void stopForGood() {
      over = true;
      stop();
    }
  }

  /** A job as JobRunr stores it, in JSON with the name of its class. */
  record Numbered(String payload) implements JobRequest {
    static Numbered of(int number) {
      return new Numbered(Payload.of(number));
    }

    @Override
    public Class<Handler> getJobRequestHandler() {
      return Handler.class;
    }

    /** Short: it becomes part of the display name that is stored with every job. */
    @Override
    public String toString() {
      return "job";
    }
  }

  /** What runs the jobs. Public, since JobRunr calls it by reflection. */
  public static final class Handler implements JobRequestHandler<Numbered> {
    private final Work work;

    Handler(Work work) {
      this.work = work;
    }

    @Override
    public void run(Numbered job) throws Exception {
      work.run(Payload.number(job.payload()));
    }
  }

  /** Hands out the one handler of the node. */
  private record Activator(Handler handler) implements JobActivator {
    @Override
    public <T> T activateJob(Class<T> type) {
      return type.cast(handler);
    }
  }
}
