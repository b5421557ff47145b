package dev.ebb.cron;

import dev.ebb.db.connection.Database;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.core.QuartzScheduler;
import org.quartz.core.QuartzSchedulerResources;
import org.quartz.impl.DefaultThreadExecutor;
import org.quartz.impl.StdJobRunShellFactory;
import org.quartz.impl.StdScheduler;
import org.quartz.impl.jdbcjobstore.InvalidConfigurationException;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.simpl.CascadingClassLoadHelper;
import org.quartz.simpl.SimpleThreadPool;
import org.quartz.utils.DBConnectionManager;

/**
 * A node of the Quartz cluster whose tables are {@code ebb.qrtz_*}.
 *
 * <p>It is put together from Quartz's parts, because Quartz's own factories keep one scheduler of a
 * name for each process.
 */
final class QuartzNode {
  /** Also the name of the rows in {@code ebb.qrtz_locks}. */
  static final String CLUSTER = "ebb";

  private static final String TABLES = "ebb.qrtz_";

  /** Of triggers that are due: one is seldom alone, and each starts the same look. */
  private static final int BATCH = 10;

  private static final int THREADS = 1;

  /** After how long a node without work asks again. Whatever this node stores wakes it at once. */
  private static final Duration IDLE = Duration.ofSeconds(5);

  private static final Duration CHECK_IN = Duration.ofSeconds(2);
  private static final Duration RETRY = Duration.ofSeconds(2);

  /** How long the end of its work is waited for while the database may be away. */
  private static final Duration STOP = Duration.ofSeconds(5);

  private final Scheduler scheduler;
  private final JobStoreTX store;
  private boolean closing;

  private QuartzNode(Scheduler scheduler, JobStoreTX store) {
    this.scheduler = scheduler;
    this.store = store;
  }

  /**
   * One that is not started.
   *
   * @param name of this node in the cluster, unlike all others
   */
  static QuartzNode create(Database database, String name) throws SchedulerException {
    // Quartz keeps one of a name for the whole process, in which a node may have two databases.
    String source = name + " on " + database.config().url();
    DBConnectionManager.getInstance()
        .addConnectionProvider(source, new DatabaseConnections(database));
    SimpleThreadPool threads = threads(name);
    JobStoreTX store = store(name, source);
    StdJobRunShellFactory shells = new StdJobRunShellFactory();
    QuartzScheduler quartz =
        new QuartzScheduler(resources(name, threads, store, shells), IDLE.toMillis(), -1);
    CascadingClassLoadHelper loader = new CascadingClassLoadHelper();
    loader.initialize();
    store.initialize(loader, quartz.getSchedulerSignaler());
    Scheduler scheduler = new StdScheduler(quartz);
    shells.initialize(scheduler);
    quartz.initialize();
    return new QuartzNode(scheduler, store);
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** Begins to fire, unless it is being closed: Quartz would begin all the same. */
  synchronized void start() throws SchedulerException {
    if (!closing) {
      scheduler.start();
    }
  }

  /**
   * Stops behind the job that is under way. Quartz's store goes on trying while the database is
   * away, and so it is stopped first if that takes long; a trigger that it could not give back is
   * taken over by another node.
   *
   * @throws CompletionException if Quartz says that it cannot
   */
  void close() {
    CompletableFuture<Void> stopped =
        CompletableFuture.runAsync(
            this::shutDown,
            task -> Thread.ofPlatform().name("ebb-quartz-stop").daemon().start(task));
    boolean isSoon =
        stopped
            .handle((_, _) -> true)
            .completeOnTimeout(false, STOP.toSeconds(), TimeUnit.SECONDS)
            .join();
    if (!isSoon) {
      store.shutdown();
    }
    stopped.join();
  }

  private synchronized void shutDown() {
    closing = true;
    try {
      scheduler.shutdown(true);
    } catch (SchedulerException e) {
      throw new CompletionException(e);
    }
  }

  private static QuartzSchedulerResources resources(
      String name, SimpleThreadPool threads, JobStoreTX store, StdJobRunShellFactory shells) {
    QuartzSchedulerResources resources = new QuartzSchedulerResources();
    resources.setName(CLUSTER);
    resources.setInstanceId(name);
    resources.setThreadName("ebb-quartz");
    resources.setMakeSchedulerThreadDaemon(true);
    resources.setThreadExecutor(new DefaultThreadExecutor());
    resources.setThreadPool(threads);
    resources.setJobStore(store);
    resources.setJobRunShellFactory(shells);
    resources.setMaxBatchSize(BATCH);
    return resources;
  }

  private static SimpleThreadPool threads(String name) throws SchedulerException {
    SimpleThreadPool threads = new SimpleThreadPool(THREADS, Thread.NORM_PRIORITY);
    threads.setInstanceId(name);
    threads.setInstanceName(CLUSTER);
    threads.setThreadNamePrefix("ebb-quartz-fire");
    threads.setMakeThreadsDaemons(true);
    threads.initialize();
    return threads;
  }

  private static JobStoreTX store(String name, String source) throws SchedulerException {
    JobStoreTX store = new JobStoreTX();
    store.setInstanceName(CLUSTER);
    store.setInstanceId(name);
    store.setDataSource(source);
    store.setTablePrefix(TABLES);
    setDelegate(store);
    // Of jobs and triggers: what else Quartz would deserialize the delegate refuses.
    store.setUseProperties("true");
    store.setIsClustered(true);
    store.setClusterCheckinInterval(CHECK_IN.toMillis());
    store.setAcquireTriggersWithinLock(true);
    // A trigger is never too late: it makes a node look, and the schedule's row says what is due.
    store.setMisfireThreshold(Duration.ofMinutes(1).toMillis());
    store.setMaxMisfiresToHandleAtATime(100);
    store.setDbRetryInterval(RETRY.toMillis());
    store.setThreadPoolSize(THREADS);
    store.setMakeThreadsDaemons(true);
    return store;
  }

  private static void setDelegate(JobStoreTX store) throws SchedulerException {
    try {
      store.setDriverDelegateClass(TextDelegate.class.getName());
    } catch (InvalidConfigurationException e) {
      throw new SchedulerException(e);
    }
  }
}
