package dev.ebb.bench.contender;

import static org.quartz.JobBuilder.newJob;
import static org.quartz.SimpleScheduleBuilder.simpleSchedule;
import static org.quartz.TriggerBuilder.newTrigger;

import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.machine.Target;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.quartz.Job;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreSupport;

/**
 * Quartz, clustered, with its tables in PostgreSQL. A job here is a trigger that fires once: the
 * job detail that all of them share is stored once, which saves a row per job.
 */
public final class QuartzContender implements Contender {
  private static final String TABLES = "org/quartz/impl/jdbcjobstore/tables_postgres.sql";

  /**
   * Two nodes that start on an empty lock table race on the insert, and on PostgreSQL the failed
   * one cannot go on in its transaction.
   */
  private static final String LOCKS =
      """
      insert into qrtz_locks (sched_name, lock_name)
      values (?, 'TRIGGER_ACCESS'), (?, 'STATE_ACCESS')
      """;

  /** A trigger that will not fire again is deleted when its run ends. */
  private static final String UNFINISHED = "select count(*) from qrtz_triggers";

  private static final String NAME = "bench";
  private static final String PAYLOAD = "payload";

  /** Triggers in one transaction of the bulk submission. */
  private static final int BULK = 1_000;

  private static final JobDetail JOB =
      newJob(Unbound.class).withIdentity(NAME).storeDurably().build();

  private final Target target;
  private volatile @Nullable Scheduler scheduler;

  public QuartzContender(Target target) {
    this.target = target;
  }

  @Override
  public void install() throws SQLException, IOException {
    try (Connection connection =
            DriverManager.getConnection(target.url(), target.user(), target.password());
        Statement statement = connection.createStatement();
        PreparedStatement locks = connection.prepareStatement(LOCKS)) {
      statement.execute(tables());
      locks.setString(1, NAME);
      locks.setString(2, NAME);
      locks.executeUpdate();
    }
  }

  private static String tables() throws IOException {
    ClassLoader quartz = JobStoreSupport.class.getClassLoader();
    try (InputStream script = quartz.getResourceAsStream(TABLES)) {
      return new String(
          Objects.requireNonNull(script, TABLES).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Submits by a scheduler that is not started. */
  @Override
  public void open() throws SchedulerException {
    Scheduler submitting = create(1);
    submitting.addJob(JOB, true);
    scheduler = submitting;
  }

  /** {@code scheduleJobs} holds the cluster's lock once for many triggers. */
  @Override
  public void fill(int from, int to, Duration dueIn) throws SchedulerException {
    Instant due = Instant.now().plus(dueIn);
    for (int start = from; start < to; start += BULK) {
      Set<Trigger> triggers = new HashSet<>();
      for (int number = start; number < Math.min(to, start + BULK); number++) {
        triggers.add(trigger(number, due));
      }
      scheduler().scheduleJobs(Map.of(JOB, triggers), true);
    }
  }

  @Override
  public void submit(int number) throws SchedulerException {
    scheduler().scheduleJob(trigger(number, Instant.now()));
  }

  private static Trigger trigger(int number, Instant due) {
    return newTrigger()
        .withIdentity(Integer.toString(number))
        .forJob(JOB)
        .usingJobData(PAYLOAD, Payload.of(number))
        .startAt(Date.from(due))
        // Late is not misfired: a backlog older than a minute would be rewritten before it runs.
        .withSchedule(simpleSchedule().withMisfireHandlingInstructionIgnoreMisfires())
        .build();
  }

  /**
   * The scheduler that submits gives way to the node: only what goes through the node itself wakes
   * it, and Quartz keeps one scheduler of a name in a process.
   */
  @Override
  public void start(Work work, int concurrency) throws SchedulerException {
    scheduler().shutdown();
    Scheduler node = create(concurrency);
    node.setJobFactory((bundle, by) -> context -> run(work, context));
    node.start();
    scheduler = node;
  }

  /** A failure moves the trigger by a second: Quartz itself retries at once or not at all. */
  private static void run(Work work, JobExecutionContext context) {
    Trigger trigger = context.getTrigger();
    try {
      work.run(Payload.number(trigger.getJobDataMap().getString(PAYLOAD)));
    } catch (Exception e) {
      retry(context.getScheduler(), trigger);
    }
  }

  private static void retry(Scheduler scheduler, Trigger failed) {
    Date due = Date.from(Instant.now().plusSeconds(1));
    try {
      scheduler.rescheduleJob(failed.getKey(), failed.getTriggerBuilder().startAt(due).build());
    } catch (SchedulerException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String settings() {
    return ("clustered JobStoreTX, idleWaitTime 1,000 ms, acquires as many triggers at once as it"
            + " has threads, within its lock; %s threads, a connection for each")
        .formatted(bestConcurrency());
  }

  private Scheduler create(int threads) throws SchedulerException {
    Properties settings = new Properties();
    settings.putAll(schedulerSettings(threads));
    settings.putAll(storeSettings());
    settings.putAll(poolSettings(threads));
    return new StdSchedulerFactory(settings).getScheduler();
  }

  private static Map<String, String> schedulerSettings(int threads) {
    return Map.of(
        "org.quartz.scheduler.instanceName",
        NAME,
        // "Must be unique"; AUTO makes it of the host and the millisecond.
        "org.quartz.scheduler.instanceId",
        "node-" + UUID.randomUUID(),
        // The shortest that is legal: how soon it sees what others submitted.
        "org.quartz.scheduler.idleWaitTime",
        "1000",
        // "The larger the number, the more efficient": as many as can start at once.
        "org.quartz.scheduler.batchTriggerAcquisitionMaxCount",
        Integer.toString(threads),
        "org.quartz.threadPool.class",
        "org.quartz.simpl.SimpleThreadPool",
        "org.quartz.threadPool.threadCount",
        Integer.toString(threads));
  }

  private static Map<String, String> storeSettings() {
    return Map.of(
        "org.quartz.jobStore.class",
        "org.quartz.impl.jdbcjobstore.JobStoreTX",
        "org.quartz.jobStore.driverDelegateClass",
        "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate",
        "org.quartz.jobStore.isClustered",
        "true",
        // Required with batches of more than one.
        "org.quartz.jobStore.acquireTriggersWithinLock",
        "true",
        // Job data as text, not as a serialized object.
        "org.quartz.jobStore.useProperties",
        "true",
        "org.quartz.jobStore.dataSource",
        NAME);
  }

  private Map<String, String> poolSettings(int threads) {
    String prefix = "org.quartz.dataSource." + NAME + ".";
    return Map.of(
        prefix + "provider",
        "hikaricp",
        prefix + "driver",
        "org.postgresql.Driver",
        prefix + "URL",
        target.url(),
        prefix + "user",
        target.user(),
        prefix + "password",
        target.password(),
        // "At least the number of worker threads plus three", and those that submit.
        prefix + "maxConnections",
        Integer.toString(threads + 3 + PeerPool.SUBMITTERS));
  }

  @Override
  public void stop() throws SchedulerException {
    shutdown();
    scheduler = create(1);
  }

  @Override
  public long unfinished(Connection connection) throws SQLException {
    return Sql.number(connection, UNFINISHED);
  }

  /**
   * "More like 50 or 100" by its documentation. The cluster's lock sets the pace: more threads
   * differ by less than the noise, and two nodes of 100 would need 230 connections.
   */
  @Override
  public int bestConcurrency() {
    return 50;
  }

  @Override
  public void close() throws SchedulerException {
    shutdown();
  }

  private void shutdown() throws SchedulerException {
    Scheduler running = scheduler;
    scheduler = null;
    if (running != null) {
      running.shutdown(true);
    }
  }

  private Scheduler scheduler() {
    return Objects.requireNonNull(scheduler, "not open");
  }

  /** The class that the job detail names; the node's factory puts the work in its place. */
  static final class Unbound implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      throw new IllegalStateException("no node");
    }
  }
}
