package dev.ebb.client;

import static dev.ebb.client.Settings.require;
import static dev.ebb.client.Settings.requireBetween;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A worker that polls for jobs over HTTP and runs them. It keeps the process alive until it is
 * closed.
 *
 * <p>When it is closed, it polls no more, lets running jobs end for a while, interrupts those that
 * have not, and gives their jobs back, which costs them no attempt. A handler that ignores its
 * interrupt goes on in its thread.
 */
public final class EbbWorker implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(EbbWorker.class.getName());
  private static final Duration LONGEST_BEAT = Duration.ofSeconds(10);
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final String name;
  private final Duration beat;
  private final Duration grace;
  private final LeaseCalls calls;
  private final HeldLeases held = new HeldLeases();
  private final Settler settler;
  private final Renewer renewer;
  private final WorkerThreads threads;
  private final Runner runner;
  private final Poller poller;
  private final Thread polling;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile @Nullable Throwable failure;
  private boolean closed;

  private EbbWorker(Builder settings) {
    this.name = settings.name + "-" + suffix();
    this.beat = settings.beat();
    this.grace = settings.grace;
    this.calls = new LeaseCalls(settings.transport.withOneToken(), name, beat);
    this.settler = new Settler(calls, held);
    this.renewer = new Renewer(calls, held);
    this.threads = new WorkerThreads(name, this::failed);
    Semaphore slots = new Semaphore(settings.slots);
    this.runner = new Runner(settings.handlers.copy(), held, slots, renewer, settler, threads);
    this.poller = new Poller(calls, settings.wish(name), slots, renewer, held, runner);
    this.polling = threads.start("polls", poller::run);
    threads.start("settles", settler::run);
    threads.repeat(() -> renewer.renew() ? beat : Renewer.AGAIN);
    threads.each(Duration.ofMillis(500), renewer::expire);
  }

  /** Six hexadecimal digits, so that each process has a name of its own. */
  private static String suffix() {
    return String.format(Locale.ROOT, "%06x", ThreadLocalRandom.current().nextInt(1 << 24));
  }

  /** {@return its name among the nodes: the given one, and digits that no other process has} */
  public String name() {
    return name;
  }

  /**
   * {@return whether an operator has asked it to drain: it polls for nothing until it is resumed}
   */
  public boolean isDraining() {
    return renewer.isDraining();
  }

  /** {@return what ended its polls for good, such as a refused token; empty while it polls} */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  private void failed(Throwable e) {
    LOG.log(System.Logger.Level.ERROR, "worker " + name + " polls no more", e);
    failure = e;
    over.countDown();
  }

  /**
   * Waits until the worker is closed, by another thread or because the process is asked to end:
   * then this closes it.
   *
   * @throws EbbProblem if the server refuses its polls, for example because of the token
   * @throws InterruptedException if this thread is interrupted
   */
  public void awaitStop() throws InterruptedException {
    Thread hook = new Thread(this::close, name + " ends");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      over.await();
    } finally {
      forget(hook);
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException processEnds) {
      LOG.log(System.Logger.Level.DEBUG, "the process ends", processEnds);
    }
  }

  /** Lets running jobs end, gives back what is left, and ends its threads. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    long drained = System.nanoTime() + grace.toNanos();
    try {
      stopPolling();
      drain(drained - System.nanoTime());
    } catch (InterruptedException e) {
      held.attempts().forEach(attempt -> attempt.stop(Stop.CLOSING));
      Thread.currentThread().interrupt();
    } finally {
      threads.close();
      over.countDown();
    }
  }

  private void stopPolling() throws InterruptedException {
    runner.close();
    poller.stop();
    try {
      calls.stop();
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.INFO, "polls end by themselves: {0}", e.toString());
    }
    polling.join(LAST_WORDS.toMillis());
    polling.interrupt();
  }

  private void drain(long nanos) throws InterruptedException {
    if (held.awaitEmpty(nanos)) {
      return;
    }
    held.attempts().forEach(attempt -> attempt.stop(Stop.CLOSING));
    if (held.awaitEmpty(GRACE.toNanos())) {
      return;
    }
    for (Attempt<?> attempt : held.attempts()) {
      if (attempt.tells()) {
        settler.tell(attempt, Outcome.givenBack());
      }
    }
    held.awaitEmpty(LAST_WORDS.toNanos());
  }

  /** Collects what a worker runs. */
  public static final class Builder {
    private static final int MOST_KINDS = 100;

    private final Transport transport;
    private final String name;
    private final Handlers handlers;
    private List<String> queues = List.of("default");
    private int slots = 10;
    private Duration lease = Duration.ofSeconds(15);
    private Duration wait = Duration.ofSeconds(20);
    private Duration grace = Duration.ofSeconds(20);

    Builder(Transport transport, EbbJson json, String name) {
      this.transport = transport;
      this.name = name;
      this.handlers = new Handlers(json);
    }

    /**
     * The queues that it takes from; {@code default} unless given.
     *
     * @param names up to 16
     * @return this
     */
    public Builder queues(String... names) {
      require(names.length >= 1 && names.length <= 16, "a worker takes from 1 to 16 queues");
      for (String name : names) {
        require(Rules.isQueue(name), "the queue " + name + " " + Rules.QUEUE_RULE);
      }
      queues = List.of(names);
      return this;
    }

    /**
     * How many jobs run at a time; 10 unless given.
     *
     * @param slots 1 to 10,000
     * @return this
     */
    public Builder slots(int slots) {
      require(slots >= 1 && slots <= 10_000, "a worker has 1 to 10,000 slots");
      this.slots = slots;
      return this;
    }

    /**
     * What runs the jobs of a kind.
     *
     * @param <T> the kind's arguments
     * @param kind the kind, which is not {@code http}: Ebb's own workers alone run deliveries
     * @param handler runs them
     * @return this
     */
    public <T> Builder on(JobKind<T> kind, Handler<T> handler) {
      require(!kind.name().equals("http"), "Ebb's own workers alone run deliveries, of kind http");
      handlers.add(kind, handler);
      return this;
    }

    /**
     * How soon others run its jobs if this process dies; 15 s unless given.
     *
     * @param length 5 s to an hour
     * @return this
     */
    public Builder lease(Duration length) {
      Duration least = Duration.ofSeconds(5);
      requireBetween(length, least, Duration.ofHours(1), "a lease lasts 5 seconds to an hour");
      this.lease = length;
      return this;
    }

    /**
     * How long a poll waits for jobs; 20 s unless given.
     *
     * @param length up to 30 s
     * @return this
     */
    public Builder longestWait(Duration length) {
      Duration most = Duration.ofSeconds(30);
      requireBetween(length, Duration.ZERO, most, "a poll waits up to 30 seconds");
      this.wait = length;
      return this;
    }

    /**
     * How long jobs may go on after {@link EbbWorker#close}; 20 s unless given. It returns up to 7
     * s later, once the last results are told. If the server hangs, it may take 22 s even for a
     * shorter time.
     *
     * @param length up to a day; zero for not at all
     * @return this
     */
    public Builder grace(Duration length) {
      Duration most = Duration.ofDays(1);
      requireBetween(length, Duration.ZERO, most, "running jobs have up to a day to end");
      this.grace = length;
      return this;
    }

    /**
     * Starts polling.
     *
     * @return the worker, which runs until it is closed
     */
    public EbbWorker start() {
      if (handlers.kinds().isEmpty()) {
        throw new IllegalStateException("a worker runs at least one kind: give a handler");
      }
      require(handlers.kinds().size() <= MOST_KINDS, "a worker runs up to 100 kinds");
      return new EbbWorker(this);
    }

    /**
     * Between renewals, and for how long one may take: one that hangs must leave time for another.
     * A worker that is silent for 30 seconds counts as lost.
     */
    private Duration beat() {
      Duration third = lease.dividedBy(3);
      return third.compareTo(LONGEST_BEAT) < 0 ? third : LONGEST_BEAT;
    }

    private Wish wish(String worker) {
      return new Wish(worker, queues, List.copyOf(handlers.kinds()), slots, lease, wait);
    }
  }
}
