package dev.ebb.db.queue;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs still fit into each queue with a {@code maxDepth}, as this process saw it last.
 *
 * <pre>
 *   every second ──▶ depth of each such queue ──▶ room
 *                                                  │ less what was let in since
 *   submit ──▶ a queue with maxDepth? ──yes──▶ enough room? ──no──▶ refused
 * </pre>
 *
 * <p>No submit counts or writes anything, so that queues have no row for which submits wait. The
 * price: each process lets in no more than the room that it saw, but several may together exceed it
 * by what they let in within that second. A queue whose depth cannot be read keeps its room for
 * some seconds; then nothing is refused because of it until it can be read again.
 */
public final class QueueDepths implements AutoCloseable {
  /** Up to here, the jobs of a queue are counted. */
  static final int COUNTED = 20_000;

  /** Beyond, they are estimated from so many blocks of all jobs. */
  static final int SAMPLED_BLOCKS = 2_000;

  private static final String PART = "depths";
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** If reading a queue is slow, or fails slowly, it uses at most 1/20 of the time. */
  private static final int SHARE = 20;

  /** For how long a room counts after it should have been read again. */
  private static final Duration KEPT = Duration.ofSeconds(10);

  private static final String LIMITED =
      """
      select name, max_depth
      from ebb.queue
      where max_depth is not null
      order by name
      limit 1000
      """;

  private static final String COUNT =
      """
      select count(*)
      from (select from ebb.job j where j.queue = ? limit ?) found
      """;

  private static final String BLOCKS =
      """
      select pg_relation_size('ebb.job') / current_setting('block_size')::bigint
      """;

  private static final String SAMPLE =
      """
      select (count(*) * 100 / ?::float8)::bigint
      from ebb.job j tablesample system (?::real)
      where j.queue = ?
      """;

  private final Database database;
  private final FailureLog failureLog;
  private final Duration kept;
  private final int share;
  private final Loop loop;

  /** Of each queue whose last read failed, when it may be read again. */
  private final Map<Limited, Long> failedUntilNanos = new HashMap<>();

  private volatile Map<String, Room> rooms = Map.of();

  /** Starts to read; the database stays the caller's to close, and need not answer yet. */
  public QueueDepths(Database database, FailureLog failureLog) {
    this(database, failureLog, KEPT, SHARE);
  }

  /** The same with other bounds: a read uses at most {@code 1/share} of the time. */
  QueueDepths(Database database, FailureLog failureLog, Duration kept, int share) {
    this.database = database;
    this.failureLog = failureLog;
    this.kept = kept;
    this.share = share;
    this.loop = new Loop(PART, failureLog, this::step);
    loop.start();
  }

  /** A queue that has no room for what was to be submitted. */
  public record Full(String queue, int maxDepth) {}

  /** A queue with its setting. */
  private record Limited(String queue, int maxDepth) {}

  private static final class Room {
    final Limited of;
    final long dueNanos;
    long left;

    Room(Limited of, long left, long dueNanos) {
      this.of = of;
      this.left = left;
      this.dueNanos = dueNanos;
    }

    boolean isOlderThan(Duration kept) {
      return System.nanoTime() - dueNanos > kept.toNanos();
    }
  }

  /** Lets all of the jobs in, or none: then it answers a queue that has no room. */
  public Optional<Full> letIn(Collection<NewJob> jobs) {
    Map<String, Room> now = rooms;
    Map<Room, Integer> wanted = new HashMap<>();
    for (NewJob job : jobs) {
      Room room = now.get(job.queue());
      if (room != null && !room.isOlderThan(kept)) {
        wanted.merge(room, 1, Integer::sum);
      }
    }
    return wanted.isEmpty() ? Optional.empty() : take(wanted);
  }

  private synchronized Optional<Full> take(Map<Room, Integer> wanted) {
    for (Map.Entry<Room, Integer> one : wanted.entrySet()) {
      Room room = one.getKey();
      if (room.left < one.getValue()) {
        return Optional.of(new Full(room.of.queue, room.of.maxDepth));
      }
    }
    wanted.forEach((room, jobs) -> room.left -= jobs);
    return Optional.empty();
  }

  private Duration step() throws SQLException {
    List<Limited> limited =
        database.inAutocommit(
            connection -> Statements.list(connection, LIMITED, _ -> {}, QueueDepths::limited));
    failedUntilNanos.keySet().retainAll(limited);
    Map<String, Room> now = HashMap.newHashMap(limited.size());
    for (Limited queue : limited) {
      Room room = room(queue, rooms.get(queue.queue));
      if (room != null) {
        now.put(queue.queue, room);
      }
    }
    rooms = now;
    return EVERY;
  }

  private static Limited limited(ResultSet row) throws SQLException {
    return new Limited(row.getString("name"), row.getInt("max_depth"));
  }

  /** A queue that cannot be read keeps the room that it had, and keeps no other from theirs. */
  private @Nullable Room room(Limited queue, @Nullable Room before) {
    long start = System.nanoTime();
    if (!isDue(queue, before, start)) {
      return before;
    }
    try {
      long depth =
          database.inAutocommit(connection -> depth(connection, queue.queue, queue.maxDepth));
      failedUntilNanos.remove(queue);
      failureLog.recovered(PART, "queue " + queue.queue);
      return new Room(queue, queue.maxDepth - depth, dueNanos(start));
    } catch (SQLException | RuntimeException e) {
      // After an outage every queue is read at once.
      if (!(e instanceof SQLException lost && SqlStates.isOfTheServer(lost))) {
        failedUntilNanos.put(queue, dueNanos(start));
      }
      failureLog.failed(PART, "queue " + queue.queue, e);
      return before;
    }
  }

  private boolean isDue(Limited queue, @Nullable Room before, long nowNanos) {
    Long failedUntil = failedUntilNanos.get(queue);
    if (failedUntil != null) {
      return nowNanos - failedUntil >= 0;
    }
    return before == null || !before.of.equals(queue) || nowNanos - before.dueNanos >= 0;
  }

  /** When to read again after a read that ended now, however it ended. */
  private long dueNanos(long startNanos) {
    long now = System.nanoTime();
    return now + Math.max(EVERY.toNanos(), (share - 1) * (now - startNanos));
  }

  /** How many jobs the queue has that have not ended; more than may be is not told. */
  static long depth(Connection connection, String queue, int maxDepth) throws SQLException {
    int most = Math.min(maxDepth, COUNTED);
    long counted = number(connection, COUNT, p -> p.text(queue).integer(most));
    return counted < most || most == maxDepth
        ? counted
        : Math.max(counted, estimated(connection, queue));
  }

  private static long estimated(Connection connection, String queue) throws SQLException {
    long blocks = number(connection, BLOCKS, _ -> {});
    double percent = Math.min(100, 100.0 * SAMPLED_BLOCKS / Math.max(1, blocks));
    return number(connection, SAMPLE, p -> p.real(percent).real(percent).text(queue));
  }

  private static long number(Connection connection, String sql, Statements.Binding binding)
      throws SQLException {
    return Statements.one(connection, sql, binding, row -> row.getLong(1));
  }

  @Override
  public void close() {
    loop.stop();
  }
}
