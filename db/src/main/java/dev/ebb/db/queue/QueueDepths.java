package dev.ebb.db.queue;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How many jobs still fit into each queue with a {@code maxDepth}, as this process saw it last.
 *
 * <pre>
 *   every second ──▶ depths of all such queues ──▶ room of each
 *                                                   │ less what was let in since
 *   submit ──▶ a queue with maxDepth? ──yes──▶ enough room? ──no──▶ refused
 * </pre>
 *
 * <p>No submit counts or writes anything, so that queues have no row for which submits wait. The
 * depths are the sums that the statistics maintain, with the tallies that are not folded yet: one
 * statement, whose cost does not depend on how many jobs there are. The price: each process lets in
 * no more than the room that it saw, but several may together exceed it by what they let in within
 * that second. Depths that cannot be read keep the rooms for some seconds; then nothing is refused
 * until they can be read again.
 */
public final class QueueDepths implements AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** If the reading is slow it uses at most 1/20 of the time. */
  private static final int SHARE = 20;

  /** For how long a room counts after it should have been read again. */
  private static final Duration KEPT = Duration.ofSeconds(10);

  // A job and its tally appear together, and a fold is one transaction: see db.stats.
  static final String DEPTHS =
      """
      with limited as materialized (
        select q.name collate "C" as queue, q.max_depth
        from ebb.queue q
        where q.max_depth is not null
      ), unfolded as (
        select t.queue collate "C" as queue, sum(ebb.jobs_added(t.counter, t.number)) as jobs
        from ebb.tally t
        where t.queue collate "C" in (select queue from limited)
        group by 1
      )
      select
        l.queue, l.max_depth, (coalesce(s.jobs, 0) + coalesce(u.jobs, 0))::bigint as depth
      from limited l
      left join ebb.stat_queue s on s.queue = l.queue
      left join unfolded u on u.queue = l.queue
      """;

  private final Database database;
  private final Duration kept;
  private final int share;
  private final Loop loop;

  private volatile Map<String, Room> rooms = Map.of();

  /** Starts to read; the database stays the caller's to close, and need not answer yet. */
  public QueueDepths(Database database, FailureLog failureLog) {
    this(database, failureLog, KEPT, SHARE);
  }

  /** The same with other bounds: reading uses at most {@code 1/share} of the time. */
  QueueDepths(Database database, FailureLog failureLog, Duration kept, int share) {
    this.database = database;
    this.kept = kept;
    this.share = share;
    this.loop = new Loop("depths", failureLog, this::step);
    loop.start();
  }

  /** A queue that has no room for what was to be submitted. */
  public record Full(String queue, int maxDepth) {}

  private record Depth(String queue, int maxDepth, long jobs) {}

  private static final class Room {
    final Full full;
    final long dueNanos;
    long left;

    Room(Depth of, long dueNanos) {
      this.full = new Full(of.queue, of.maxDepth);
      this.left = of.maxDepth - of.jobs;
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
        return Optional.of(room.full);
      }
    }
    wanted.forEach((room, jobs) -> room.left -= jobs);
    return Optional.empty();
  }

  private Duration step() throws SQLException {
    long start = System.nanoTime();
    List<Depth> depths =
        database.inAutocommit(
            connection -> Statements.list(connection, DEPTHS, _ -> {}, QueueDepths::depth));
    long now = System.nanoTime();
    long pause = Math.max(EVERY.toNanos(), (share - 1) * (now - start));
    Map<String, Room> read = HashMap.newHashMap(depths.size());
    depths.forEach(depth -> read.put(depth.queue, new Room(depth, now + pause)));
    rooms = read;
    return Duration.ofNanos(pause);
  }

  private static Depth depth(ResultSet row) throws SQLException {
    return new Depth(row.getString("queue"), row.getInt("max_depth"), row.getLong("depth"));
  }

  @Override
  public void close() {
    loop.stop();
  }
}
