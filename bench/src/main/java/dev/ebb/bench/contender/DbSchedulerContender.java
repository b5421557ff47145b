package dev.ebb.bench.contender;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.logging.LogLevel;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.FailureHandler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.machine.Target;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** db-scheduler with its polling strategy for throughput, lock-and-fetch. */
public final class DbSchedulerContender implements Contender {
  /**
   * Its PostgreSQL table with the two indexes that it recommends. The third serves priorities, and
   * would only cost here.
   */
  private static final String TABLES =
      """
      create table scheduled_tasks (
        task_name text not null,
        task_instance text not null,
        task_data bytea,
        execution_time timestamp with time zone not null,
        picked boolean not null,
        picked_by text,
        last_success timestamp with time zone,
        last_failure timestamp with time zone,
        consecutive_failures int,
        last_heartbeat timestamp with time zone,
        version bigint not null,
        priority smallint,
        primary key (task_name, task_instance)
      );
      create index execution_time_idx on scheduled_tasks (execution_time);
      create index last_heartbeat_idx on scheduled_tasks (last_heartbeat);
      """;

  /** A job's row is deleted when it succeeds. */
  private static final String UNFINISHED = "select count(*) from scheduled_tasks";

  private static final String TASK = "bench";
  private static final int BULK = 1_000;

  /** "For high throughput (i.e. keep threads busy)": fetch again at one job per thread left, */
  private static final double LOWER_LIMIT = 1.0;

  /** and fill up to four per thread. */
  private static final double UPPER_LIMIT = 4.0;

  /**
   * What is submitted in this process is seen at once ({@code enableImmediateExecution}); the
   * interval is for retries and for other nodes' jobs. A tenth of a second is far below the second
   * of a retry, and costs an idle node ten statements a second.
   */
  private static final Duration POLLING_INTERVAL = Duration.ofMillis(100);

  private final Target target;
  private @Nullable HikariDataSource pool;
  private @Nullable Scheduler node;
  private volatile @Nullable SchedulerClient client;

  public DbSchedulerContender(Target target) {
    this.target = target;
  }

  @Override
  public void install() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(target.url(), target.user(), target.password());
        Statement statement = connection.createStatement()) {
      statement.execute(TABLES);
    }
  }

  @Override
  public void open() {
    pool = PeerPool.open(target, "db-scheduler");
    client = clientOnly();
  }

  private SchedulerClient clientOnly() {
    return SchedulerClient.Builder.create(pool(), task(number -> {}))
        .serializer(new Utf8())
        .build();
  }

  @Override
  public void fill(int from, int to, Duration dueIn) {
    // A stream would be cut into hundreds.
    for (int start = from; start < to; start += BULK) {
      List<TaskInstance<?>> jobs =
          IntStream.range(start, Math.min(to, start + BULK))
              .<TaskInstance<?>>mapToObj(this::job)
              .toList();
      client().scheduleBatch(jobs, Instant.now().plus(dueIn));
    }
  }

  @Override
  public void submit(int number) {
    client().scheduleIfNotExists(job(number), Instant.now());
  }

  private TaskInstance<String> job(int number) {
    return new TaskInstance<>(TASK, Integer.toString(number), Payload.of(number));
  }

  @Override
  public void start(Work work, int concurrency) {
    // Every thread settles over a connection of its own, once per job.
    pool().setMaximumPoolSize(PeerPool.SUBMITTERS + concurrency);
    Scheduler scheduler =
        Scheduler.create(pool(), task(work))
            .schedulerName(new SchedulerName.Fixed("node-" + UUID.randomUUID()))
            .serializer(new Utf8())
            .threads(concurrency)
            .pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT)
            .pollingInterval(POLLING_INTERVAL)
            .enableImmediateExecution()
            // No line per failure: the retry storm fails 20,000 times.
            .failureLogging(LogLevel.OFF, false)
            .build();
    scheduler.start();
    node = scheduler;
    // Only what goes through the node itself wakes it.
    client = scheduler;
  }

  private static OneTimeTask<String> task(Work work) {
    return Tasks.oneTime(TASK, String.class)
        .onFailure(new FailureHandler.OnFailureRetryLater<>(Duration.ofSeconds(1)))
        .execute((instance, context) -> run(work, instance.getData()));
  }

  private static void run(Work work, String payload) {
    try {
      work.run(Payload.number(payload));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void stop() {
    Scheduler running = node;
    node = null;
    if (running != null) {
      client = clientOnly();
      running.stop();
    }
  }

  @Override
  public String settings() {
    return ("lock-and-fetch at %s to %s jobs per thread, immediate execution, polling every %s ms;"
            + " %s threads, a connection for each")
        .formatted(LOWER_LIMIT, UPPER_LIMIT, POLLING_INTERVAL.toMillis(), bestConcurrency());
  }

  @Override
  public long unfinished(Connection connection) throws SQLException {
    return Sql.number(connection, UNFINISHED);
  }

  /** More threads, that is more commits at once, gain nothing on two cores. */
  @Override
  public int bestConcurrency() {
    return 20;
  }

  @Override
  public void close() {
    stop();
    if (pool != null) {
      pool.close();
    }
  }

  private HikariDataSource pool() {
    return Objects.requireNonNull(pool, "not open");
  }

  private SchedulerClient client() {
    return Objects.requireNonNull(client, "not open");
  }

  /** The payload as its 200 bytes; Java's serialization, the default, would only add to them. */
  private static final class Utf8 implements Serializer {
    @Override
    public byte[] serialize(@Nullable Object data) {
      return String.valueOf(data).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> T deserialize(Class<T> type, byte[] data) {
      return type.cast(new String(data, StandardCharsets.UTF_8));
    }
  }
}
