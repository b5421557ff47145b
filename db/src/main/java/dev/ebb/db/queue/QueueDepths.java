package dev.ebb.db.queue;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 * by what they let in within that second.
 */
public final class QueueDepths implements AutoCloseable {
  /** Up to here, the jobs of a queue are counted. */
  static final int COUNTED = 20_000;

  /** Beyond, they are estimated from so many blocks of all jobs. */
  static final int SAMPLED_BLOCKS = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(QueueDepths.class);
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** If reading is slow, it uses at most 1/20 of the time. */
  private static final int SHARE = 20;

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
  private final Thread reader;
  private volatile Map<String, Room> rooms = Map.of();
  private boolean failed;

  /** Starts to read; the database stays the caller's to close, and need not answer yet. */
  public QueueDepths(Database database) {
    this.database = database;
    this.reader = Thread.ofVirtual().name("ebb-depths").start(this::run);
  }

  /** A queue that has no room for what was to be submitted. */
  public record Full(String queue, int maxDepth) {}

  private static final class Room {
    final String queue;
    final int maxDepth;
    long left;

    Room(String queue, int maxDepth) {
      this.queue = queue;
      this.maxDepth = maxDepth;
    }
  }

  /** Lets all of the jobs in, or none: then it answers a queue that has no room. */
  public Optional<Full> letIn(Collection<NewJob> jobs) {
    Map<String, Room> now = rooms;
    Map<Room, Integer> wanted = new HashMap<>();
    for (NewJob job : jobs) {
      Room room = now.get(job.queue());
      if (room != null) {
        wanted.merge(room, 1, Integer::sum);
      }
    }
    return wanted.isEmpty() ? Optional.empty() : take(wanted);
  }

  private synchronized Optional<Full> take(Map<Room, Integer> wanted) {
    for (Map.Entry<Room, Integer> one : wanted.entrySet()) {
      Room room = one.getKey();
      if (room.left < one.getValue()) {
        return Optional.of(new Full(room.queue, room.maxDepth));
      }
    }
    wanted.forEach((room, jobs) -> room.left -= jobs);
    return Optional.empty();
  }

  private void run() {
    try {
      while (true) {
        long start = System.nanoTime();
        refresh();
        long share = SHARE * (System.nanoTime() - start);
        Thread.sleep(Duration.ofNanos(Math.max(EVERY.toNanos(), share)));
      }
    } catch (InterruptedException closed) {
      LOG.debug("Closed", closed);
    }
  }

  /** What cannot be read stays as it was. */
  private void refresh() {
    try {
      rooms = database.inAutocommit(QueueDepths::read);
      failed = false;
    } catch (SQLException | RuntimeException e) {
      if (!failed) {
        LOG.warn("The depth of queues cannot be read: {}", e.getMessage());
      }
      failed = true;
    }
  }

  private static Map<String, Room> read(Connection connection) throws SQLException {
    List<Room> limited = Statements.list(connection, LIMITED, _ -> {}, QueueDepths::room);
    Map<String, Room> rooms = HashMap.newHashMap(limited.size());
    for (Room room : limited) {
      room.left = room.maxDepth - depth(connection, room.queue, room.maxDepth);
      rooms.put(room.queue, room);
    }
    return rooms;
  }

  private static Room room(ResultSet row) throws SQLException {
    return new Room(row.getString("name"), row.getInt("max_depth"));
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
    return Statements.list(connection, sql, binding, row -> row.getLong(1)).getFirst();
  }

  @Override
  public void close() {
    reader.interrupt();
  }
}
