package dev.ebb.worker;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.NewJob;
import dev.ebb.core.Outcome;
import dev.ebb.core.Settlement;
import dev.ebb.db.Database;
import dev.ebb.db.HintListener;
import dev.ebb.db.JobQueue;
import dev.ebb.db.Lease;
import dev.ebb.db.Limiters;
import dev.ebb.db.Partitions;
import dev.ebb.db.Settled;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a process that claims jobs and runs them.
 *
 * <pre>
 *   Poller ──claim──▶ JobExecutor ──a virtual thread per job──▶ Handler
 *      ▲                   │ outcome, Settlement.decide
 *      └── free slot       ▼
 *   Keeper (renews, ends)  Settler ──batches──▶ database ◀── Rescuer (expired leases), Pruner
 * </pre>
 */
public final class Worker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Worker.class);
  private static final Duration PRUNE_AGAIN = Duration.ofMinutes(5);
  private static final Duration PRUNE_EVERY = Duration.ofHours(1);
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(5);

  private final WorkerConfig config;
  private final JobQueue jobs;
  private final Meters meters;
  private final Leases leases;
  private final Settler settler;
  private final JobExecutor executor;
  private final Poller poller;
  private final Loop polling;
  private final List<Loop> keeping;
  private final List<Loop> housekeeping;
  private final @Nullable HintListener hints;
  private final Rescuer rescuer;
  private final Throttles throttles;

  private Worker(
      Database database,
      WorkerConfig config,
      Map<String, Handler> handlers,
      MeterRegistry registry) {
    this.config = config;
    this.jobs = new JobQueue(database);
    Slots slots = new Slots(config.concurrency(), config.maxPayloadBytes());
    this.meters = new Meters(registry, slots);
    this.leases = new Leases(config.lease());
    this.settler = new Settler(jobs, leases, this::written, meters);
    this.executor =
        new JobExecutor(config.node(), kinds(handlers), slots, settler, this::slotFreed);
    List<String> kinds = List.copyOf(handlers.keySet());
    this.poller = new Poller(config, kinds, database, slots, meters, new Claims());
    this.throttles = new Throttles(new Limiters(database), poller.held()::isLimited);
    this.polling = Loop.start("poller", poller::step);
    Keeper keeper = new Keeper(jobs, leases, executor, config.lease(), meters);
    Loop cancelling = Loop.start("canceller", keeper::cancel);
    this.keeping =
        List.of(
            Loop.start("renewer", keeper::renew), cancelling, Loop.start("watch", keeper::watch));
    this.rescuer = new Rescuer(jobs, config.lease(), this::written, meters);
    Partitions partitions = new Partitions(database);
    RandomGenerator random = RandomGenerator.getDefault();
    Loop pruning =
        Loop.start(
            "pruner",
            () -> {
              boolean done = partitions.roll(config.historyDays());
              return done ? PRUNE_EVERY : PRUNE_AGAIN.plusSeconds(random.nextInt(300));
            });
    this.housekeeping = List.of(Loop.start("rescuer", rescuer::step), pruning);
    boolean listens = config.hints() && !database.config().pooler();
    this.hints = listens ? new HintListener(database, this::hinted, cancelling::wake) : null;
  }

  /**
   * Starts a worker that serves the handlers' kinds.
   *
   * @param database stays the caller's, and must be open until the worker is closed
   * @param handlers by kind; jobs of other kinds are left alone
   * @throws dev.ebb.core.InvalidInput if there is no handler, or a kind breaks its rule
   */
  public static Worker start(
      Database database,
      WorkerConfig config,
      Map<String, Handler> handlers,
      MeterRegistry registry) {
    require(!handlers.isEmpty(), "handlers", "must not be empty");
    handlers.keySet().forEach(NewJob::requireKind);
    return new Worker(database, config, Map.copyOf(handlers), registry);
  }

  private static Map<String, JobExecutor.Kind> kinds(Map<String, Handler> handlers) {
    Map<String, JobExecutor.Kind> kinds = new HashMap<>();
    handlers.forEach((kind, handler) -> {
      Duration timeout = handler.timeout();
      require(
          timeout.isPositive() && timeout.compareTo(Duration.ofDays(1)) <= 0,
          "handlers." + kind,
          "must have a timeout of more than zero and at most P1D");
      kinds.put(kind, new JobExecutor.Kind(handler, timeout));
    });
    return kinds;
  }

  private final class Claims implements Poller.Starter {
    @Override
    public void start(Lease lease, long askedNanos) {
      leases.add(lease, askedNanos);
      try {
        executor.start(lease, askedNanos);
      } catch (RuntimeException | Error e) {
        // Jobs that did not start must not be kept by a lease that is renewed.
        leases.drop(List.of(lease.id()));
        throw e;
      }
    }

    @Override
    public Collection<Long> heldLeases() {
      return leases.ids();
    }
  }

  private void hinted(String queue) {
    poller.hint(queue);
    polling.wake();
  }

  private void slotFreed() {
    if (poller.isShortOfSlots()) {
      polling.wake();
    }
  }

  /** What this node put back, or kept waiting, it need not find late. */
  private void written(Settled settled) {
    String queue = settled.claimed().job().queue();
    if (poller.held().ended(queue)) {
      hinted(queue);
    }
    if (settled.outcome() instanceof Outcome.Throttled) {
      throttles.add(settled.claimed());
    }
    switch (settled.settlement()) {
      case Settlement.Retry retry -> dueIn(retry.delay());
      case Settlement.Poll poll -> dueIn(poll.delay());
      case Settlement.Release _,
          Settlement.Complete _,
          Settlement.DeadLetter _,
          Settlement.Cancel _ -> {}
    }
  }

  private void dueIn(Duration delay) {
    poller.ownRetryDueIn(delay);
    if (delay.compareTo(config.longestPoll()) < 0) {
      polling.wake();
    }
  }

  /** The node's name in leases and attempts. */
  public String node() {
    return config.node();
  }

  /** How many jobs run here now. */
  public int running() {
    return executor.running().size();
  }

  /** Whether every loop runs and its last step succeeded. */
  public boolean isHealthy() {
    return polling.isHealthy()
        && settler.isHealthy()
        && throttles.isHealthy()
        && keeping.stream().allMatch(Loop::isHealthy)
        && housekeeping.stream().allMatch(Loop::isHealthy);
  }

  /**
   * Drains: claims no more, lets running jobs end for as long as the drain timeout, interrupts the
   * others and gives them back, writes every settlement, and stops.
   */
  @Override
  public void close() {
    polling.close();
    housekeeping.forEach(Loop::close);
    if (hints != null) {
      hints.close();
    }
    try {
      drain();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    settler.close();
    throttles.close();
    keeping.forEach(Loop::close);
  }

  private void drain() throws InterruptedException {
    if (!awaitNoneRunning(config.drainTimeout())) {
      log.info("drain: interrupting {} jobs that are still running", running());
      executor.running().forEach(execution -> execution.end(Execution.End.SHUTDOWN));
      awaitNoneRunning(AFTER_INTERRUPT);
      executor.running().forEach(executor::abandon);
    }
    if (!settler.drain(AFTER_INTERRUPT)) {
      log.warn("drain: the database does not answer; what is unsettled will be rescued");
    }
  }

  private boolean awaitNoneRunning(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (running() > 0 && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    return running() == 0;
  }
}
