package dev.ebb.worker;

import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.queue.QueueFigureReads;
import dev.ebb.db.queue.QueueFigures;
import dev.ebb.db.stats.GaugeLease;
import dev.ebb.db.stats.MeteredQueues;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows in the metrics of one node how the queues of the whole cluster stand.
 *
 * <pre>
 *   every 5 s: renew the lease ──have it──▶ figures are old? read them ──▶ shown, until the lease
 *                     │                                                    would end
 *                     └─another node has it, or no database──▶ nothing is shown
 * </pre>
 *
 * <p>The nodes that do not hold the lease show nothing, so a sum over the nodes is right. A figure
 * that may be old is not shown either: without a database there are none.
 */
final class QueueGauges implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueueGauges.class);
  private static final String PART = "gauges";
  private static final Duration EVERY = Duration.ofSeconds(5);

  /** Another node shows the figures so long after this one died, and at most a round later. */
  private static final Duration LEASE = Duration.ofSeconds(15);

  /** Figures are read in every second round, and are old after a dozen. */
  private static final int READ_ROUNDS = 2;

  private static final int KEPT_ROUNDS = 12;

  /** If reading is slow, or fails slowly, it uses at most 1/20 of the time. */
  private static final int SHARE = 20;

  private final GaugeLease lease;
  private final QueueFigureReads reads;
  private final FailureLog failureLog;
  private final ShownFigures shown;
  private final Duration every;
  private final Duration length;
  private final Loop loop;
  private long readAgainNanos;
  private long keptUntilNanos;
  private List<QueueFigures> figures = List.of();

  QueueGauges(Database database, String node, MeterRegistry registry, FailureLog failureLog) {
    this(database, node, registry, failureLog, EVERY, LEASE);
  }

  /** The same with another time between rounds, and another length of the lease. */
  QueueGauges(
      Database database,
      String node,
      MeterRegistry registry,
      FailureLog failureLog,
      Duration every,
      Duration length) {
    this.every = every;
    this.length = length;
    this.lease = new GaugeLease(database, node);
    this.reads = new QueueFigureReads(database);
    this.failureLog = failureLog;
    this.shown = new ShownFigures(registry);
    this.loop = new Loop(PART, failureLog, this::step);
    this.readAgainNanos = System.nanoTime();
    this.keptUntilNanos = readAgainNanos;
  }

  void start() {
    loop.start();
  }

  /** Does what is due once, and answers when to do it again. */
  Duration step() throws SQLException {
    long asked = System.nanoTime();
    if (!lease.take(length)) {
      shown.hide();
      return every;
    }
    if (asked - readAgainNanos >= 0) {
      read();
    }
    // Shorter than the lease, for a late thread: the rows are gone before another node shows its
    // own.
    long shownNanos = length.toNanos() * 2 / 3;
    shown.show(figures, asked + Math.min(shownNanos, keptUntilNanos - asked));
    // The next step may wait for a database that does not answer.
    CompletableFuture.delayedExecutor(shownNanos, TimeUnit.NANOSECONDS).execute(shown::hideIfOver);
    return every;
  }

  private void read() {
    long start = System.nanoTime();
    try {
      figures = reads.busiest(MeteredQueues.MOST);
      keptUntilNanos = start + every.multipliedBy(KEPT_ROUNDS).toNanos();
      failureLog.recovered(PART, "figures");
    } catch (SQLException | RuntimeException e) {
      failureLog.failed(PART, "figures", e);
    }
    long now = System.nanoTime();
    long rounds = every.multipliedBy(READ_ROUNDS).toNanos();
    readAgainNanos = now + Math.max(rounds, (SHARE - 1) * (now - start));
  }

  /** Shows nothing more, and lets another node show. */
  @Override
  public void close() {
    loop.close();
    shown.hide();
    try {
      lease.giveBack();
    } catch (SQLException e) {
      LOG.debug("the lease of the gauges ends by itself: {}", e.getMessage());
    }
  }
}
