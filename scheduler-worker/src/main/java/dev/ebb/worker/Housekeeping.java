package dev.ebb.worker;

import dev.ebb.db.access.JobLinks;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.connection.Database;
import dev.ebb.db.errors.ErrorGroups;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.operation.OperationCarrier;
import dev.ebb.db.operation.Operations;
import dev.ebb.db.schema.Partitions;
import dev.ebb.db.schema.Retention;
import dev.ebb.db.start.StartWatch;
import dev.ebb.db.stats.Fold;
import dev.ebb.db.stats.StatRetention;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What a node does that no running job waits for: carries operations on, groups dead letters, folds
 * statistics, and removes what is old. Every node does all of it, one of them at a time.
 */
final class Housekeeping implements AutoCloseable {
  private static final Duration PRUNE_AGAIN = Duration.ofMinutes(5);
  private static final Duration PRUNE_EVERY = Duration.ofHours(1);
  private static final Duration GROUP_EVERY = Duration.ofSeconds(5);

  private final Retention retention;
  private final StartWatch start;
  private final Nodes nodes;
  private final Tokens tokens;
  private final JobLinks links;
  private final ErrorGroups groups;
  private final Operations operations;
  private final StatRetention statistics;
  private final Partitions partitions;
  private final Loop operating;
  private final List<Loop> loops;

  /** One that leaves out what may not happen while that start is paused. */
  Housekeeping(
      Database database,
      Notifier notifier,
      Retention retention,
      FailureLog failureLog,
      StartWatch start) {
    this.retention = retention;
    this.start = start;
    this.nodes = new Nodes(database);
    this.tokens = new Tokens(database);
    this.links = new JobLinks(database);
    this.groups = new ErrorGroups(database);
    this.operations = new Operations(database);
    this.statistics = new StatRetention(database);
    this.partitions = new Partitions(database);
    Operator operator = new Operator(new OperationCarrier(database), notifier);
    this.operating = new Loop("operator", failureLog, start.unlessPaused(operator::step));
    StatsFolder folder = new StatsFolder(new Fold(database));
    this.loops =
        List.of(
            operating,
            new Loop("grouper", failureLog, this::group),
            new Loop("folder", failureLog, folder::step),
            new Loop("pruner", failureLog, start.unlessPaused(this::prune)),
            new Loop("forgetter", failureLog, start.unlessPaused(this::forget)));
  }

  /** Notices are jobs, which are not made while the start is paused. */
  private Duration group() throws SQLException {
    return groups.groupNew(!start.isPaused()) ? Duration.ZERO : GROUP_EVERY;
  }

  /** What is old but stands in no partition: a loop of its own, because partitions must be made. */
  private Duration forget() throws SQLException {
    nodes.forget();
    groups.forget();
    boolean hasMore = tokens.prune() || links.prune() || statistics.prune() || operations.forget();
    return hasMore ? Duration.ZERO : PRUNE_EVERY;
  }

  private Duration prune() throws SQLException {
    return switch (partitions.roll(retention)) {
      case DONE -> PRUNE_EVERY;
      case MORE -> Duration.ZERO;
      case BUSY -> PRUNE_AGAIN.plusSeconds(RandomGenerator.getDefault().nextInt(300));
    };
  }

  /** An operation was started or resumed. */
  void operationStarted() {
    operating.wake();
  }

  void start() {
    loops.forEach(Loop::start);
  }

  /** The cluster's start was resumed. */
  void resumed() {
    loops.forEach(Loop::wake);
  }

  @Override
  public void close() {
    loops.forEach(Loop::close);
  }
}
