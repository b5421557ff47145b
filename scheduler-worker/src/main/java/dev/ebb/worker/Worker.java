package dev.ebb.worker;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.Moment;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.JobQueue;
import dev.ebb.db.claim.Claimer;
import dev.ebb.db.claim.WorkFinder;
import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.node.Heartbeat;
import dev.ebb.db.notify.NotificationListener;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.queue.Circuits;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.start.StartState;
import dev.ebb.db.start.StartWatch;
import dev.ebb.db.trace.Traces;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a process that claims jobs and runs them.
 *
 * <pre>
 *   Poller ─queues─▶ ClaimLoop ──claim──▶ JobExecutor ──a virtual thread per job──▶ Handler
 *                       ▲                   │ outcome, Settlement.decide
 *                       └── free slot       ▼
 *   Watchdog (ends attempts)             Settler ──batches──▶ database
 *   CancelWatch                                                  ▲
 *                LeaseRenewer, Rescuer (expired leases), Presence, Housekeeping
 * </pre>
 */
public final class Worker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  private static final String BEHIND =
      "outcomes have waited for over a second to be stored: nothing is claimed until they are";

  /** Of the running jobs' payloads together. */
  private static final long MOST_BYTES = 64L << 20;

  private final Database database;
  private final WorkerConfig config;
  private final FailureLog failureLog;
  private final Leases leases;
  private final LimitedQueues limited;
  private final Settler settler;
  private final JobExecutor executor;
  private final ClaimLoop claiming;
  private final Throttles throttles;
  private final Votes votes;
  private final Loop cancelling;

  /** What finds jobs: a drain begins with its end. */
  private final List<Loop> finding;

  /** What the jobs that run need: a drain ends with its end. */
  private final List<Loop> keeping;

  private final SubjectCounter subjects;
  private final Claims claims;
  private final StartWatch start;
  private final Presence presence;
  private final Housekeeping housekeeping;
  private final Notifier notifier;
  private final KeepAlive keepAlive = new KeepAlive();
  private final JobDrain drain;
  private final AtomicInteger givenBack = new AtomicInteger();
  private volatile @Nullable NotificationListener listener;

  private Worker(
      Database database,
      WorkerConfig config,
      Map<String, Handler> handlers,
      MeterRegistry registry,
      Traces traces) {
    this.database = database;
    this.config = config;
    this.failureLog = new FailureLog(registry);
    this.notifier = new Notifier(database, failureLog);
    JobQueue jobs = new JobQueue(database, traces);
    Slots slots = new Slots(config.concurrency(), MOST_BYTES, config.servesManyQueues());
    Meters meters = new Meters(registry, slots);
    this.leases = new Leases(config.lease());
    this.limited = new LimitedQueues(config.longestPoll());
    this.subjects = new SubjectCounter(database, failureLog);
    this.settler = new Settler(jobs, leases, this::written, this::slotFreed, meters, failureLog);
    Map<String, JobExecutor.Kind> served = JobExecutor.Kind.all(handlers);
    Attempts attempts = new Attempts(config.node(), traces);
    this.executor = new JobExecutor(attempts, served, slots, leases, settler, this::slotFreed);
    List<String> kinds = List.copyOf(handlers.keySet());
    Claimer claimer = new Claimer(database, traces);
    this.claims = new Claims(config, kinds, claimer, limited, executor, meters);
    Duration longestClaim = database.config().statementTimeout();
    this.claiming = new ClaimLoop(config, claims, limited, longestClaim, failureLog);
    this.throttles = new Throttles(new Limiters(database), limited::isLimited, failureLog);
    this.votes = new Votes(new Circuits(database), this::released, failureLog);
    Poller poller =
        new Poller(new WorkFinder(database), kinds, config, this::listensBy, claiming::found);
    LeaseRenewer renewer = new LeaseRenewer(jobs, leases, executor, config.lease(), meters);
    this.cancelling = loop("canceller", new CancelWatch(jobs, executor)::step);
    this.keeping =
        List.of(
            settler.loop(),
            throttles.news().loop(),
            votes.news().loop(),
            loop("renewer", renewer::step),
            cancelling,
            loop("watchdog", new Watchdog(leases, executor)::step));
    this.start = new StartWatch("start watch", database, registry, failureLog, this::startIs);
    Rescuer rescuer = new Rescuer(jobs, config.lease(), this::written, meters);
    this.finding = new ArrayList<>(List.of(loop("rescuer", start.unlessPaused(rescuer::step))));
    finding.addAll(claiming.loops());
    finding.add(loop("poller", poller::step));
    this.presence =
        new Presence(
            database,
            Presence.facts(config, handlers),
            this::load,
            this::heard,
            registry,
            failureLog);
    this.housekeeping = new Housekeeping(database, notifier, config.retention(), failureLog, start);
    this.drain = new JobDrain(executor, settler);
  }

  private Loop loop(String name, Loop.Step step) {
    return new Loop(name, failureLog, step);
  }

  /**
   * Starts a worker that serves the handlers' kinds. It keeps the process alive until it is closed,
   * also where nothing else runs; a shutdown hook that closes it has a SIGTERM drain it.
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
    return start(database, config, handlers, registry, OpenTelemetry.noop());
  }

  /** The same, whose claims, attempts and settles are traced. */
  public static Worker start(
      Database database,
      WorkerConfig config,
      Map<String, Handler> handlers,
      MeterRegistry registry,
      OpenTelemetry telemetry) {
    require(!handlers.isEmpty(), "handlers", "must not be empty");
    handlers.keySet().forEach(NewJob::requireKind);
    Worker worker =
        new Worker(database, config, Map.copyOf(handlers), registry, Traces.of(telemetry));
    worker.start();
    return worker;
  }

  private void start() {
    start.start();
    keeping.forEach(Loop::start);
    finding.forEach(Loop::start);
    presence.start();
    housekeeping.start();
    subjects.start();
    if (config.listens() && !database.config().pooler()) {
      listener =
          new NotificationListener(
              database,
              failureLog,
              claiming::workArrived,
              cancelling::wake,
              this::asked,
              housekeeping::operationStarted);
    }
    keepAlive.start();
  }

  /** People asked a node to drain, or had the cluster start; a notification says no more. */
  private void asked() {
    presence.wake();
    start.wake();
  }

  private void heard(Heartbeat.Answer answer) {
    claiming.drain(answer.draining());
    limited.nodes(answer.workers());
  }

  private void startIs(StartState state) {
    if (state.isPaused()) {
      LOG.warn(
          "the start has been paused since {} by {}: nothing runs until people resume it, on any"
              + " page of the dashboard or by ./ebb resume",
          Moment.words(state.pausedSince()),
          state.pausedBy());
    } else if (state.resumedAt() != null) {
      LOG.info("the start was resumed at {}", Moment.words(state.resumedAt()));
    }
    claiming.startIs(state);
    finding.forEach(Loop::wake);
    housekeeping.resumed();
  }

  private void slotFreed() {
    claiming.slotFreed();
  }

  /** A settlement may free work for this node: wakes the loop that claims. */
  private void written(FinishedAttempt settled) {
    subjects.add(settled);
    String queue = settled.claimed().job().queue();
    if (settled.outcome() instanceof Outcome.NotReady notReady && notReady.elsewhere()) {
      limited.leave(queue);
    }
    if (limited.ended(queue) || settled.freesItsKey()) {
      claiming.workArrived(queue);
    }
    if (settled.outcome() instanceof Outcome.Throttled) {
      throttles.add(settled.claimed());
    }
    votes.add(settled);
    switch (settled.settlement()) {
      case Settlement.Retry retry -> claiming.ownRetryDueIn(retry.delay(), queue);
      case Settlement.Snooze snooze -> claiming.ownRetryDueIn(snooze.delay(), queue);
      case Settlement.GiveBack _ -> gaveBack(queue);
      case Settlement.Complete _, Settlement.DeadLetter _, Settlement.Cancel _ -> {}
    }
  }

  /** Jobs of the queue may start that its circuit kept. */
  private void released(String queue) {
    claiming.workArrived(queue);
    notifier.workArrived(queue);
  }

  /** The job is due as before: others would find it late. */
  private void gaveBack(String queue) {
    givenBack.incrementAndGet();
    notifier.workArrived(queue);
  }

  private int listensBy() {
    NotificationListener hears = listener;
    return hears == null ? 0 : hears.listensBy();
  }

  /** The node's name in leases and attempts. */
  public String node() {
    return config.node();
  }

  /** How many jobs run here now. */
  public int running() {
    return executor.running().size();
  }

  private NodeReporter.Load load() {
    return new NodeReporter.Load(running(), votes.suspectsNetwork());
  }

  /**
   * Whether every part that jobs need runs, and its last step succeeded. The reporter and the
   * housekeeping are none of them.
   */
  public boolean isHealthy() {
    return trouble() == null;
  }

  /**
   * What is wrong with a part that jobs need, or with every claim of the last five seconds, in
   * words that anybody may read; {@code null} for nothing.
   */
  public @Nullable String trouble() {
    for (Loop loop : Stream.concat(finding.stream(), keeping.stream()).toList()) {
      String trouble = loop.trouble();
      if (trouble != null) {
        return trouble;
      }
    }
    return lastingTrouble();
  }

  /**
   * Why nothing can be stored, or no claim has succeeded for a while: the part of {@link #trouble}
   * that lasts.
   */
  public @Nullable String lastingTrouble() {
    String storing = presence.trouble();
    if (storing != null) {
      return storing;
    }
    return isBehind() ? BEHIND : claims.trouble();
  }

  boolean isBehind() {
    return settler.isBehind();
  }

  /**
   * Drains: claims no more, lets running jobs end for as long as the drain timeout, interrupts the
   * others and gives them back, writes every settlement, and stops.
   */
  @Override
  public void close() {
    presence.drain();
    finding.reversed().forEach(Loop::close);
    LOG.info(
        "drain begins: worker {} claims no more, {} jobs run, for up to {} s",
        node(),
        running(),
        config.drainTimeout().toSeconds());
    housekeeping.close();
    NotificationListener hears = listener;
    if (hears != null) {
      hears.close();
    }
    try {
      drain.run(config.drainTimeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    keeping.forEach(Loop::close);
    throttles.news().flush();
    votes.news().flush();
    notifier.close();
    subjects.close();
    start.close();
    presence.close();
    LOG.info("drain ended: worker {} has stopped, {} jobs given back", node(), givenBack);
    keepAlive.end();
  }

  /** Has a drain that is under way, or comes, interrupt the running jobs at once. */
  public void hurry() {
    drain.hurry();
  }
}
