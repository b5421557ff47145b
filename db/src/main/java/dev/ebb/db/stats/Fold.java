package dev.ebb.db.stats;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Folds tallies into the statistics, and empties their partitions.
 *
 * <p>A partition is folded and emptied in one transaction, under a lock that keeps its writers out;
 * those who write now write to another one. What cannot be locked, because somebody reads it for
 * long, waits. One that has grown meanwhile is folded in pieces, which needs no such lock.
 */
public final class Fold {
  /** The result of a step. */
  public enum Step {
    /** Nothing is left to do. */
    DONE,
    /** There is more to do, at once. */
    MORE,
    /** Somebody else folds, or has locked what is to be folded. */
    BUSY
  }

  /**
   * So many pairs of queue and kind have rows of their own in a minute, an hour, a day; the others
   * stand under {@code *} together, so that names that anybody may invent do not fill the disk.
   */
  static final int MOST_PAIRS = 500;

  /** Up to here a partition is folded whole: about 200,000 tallies. */
  private static final long MOST_BYTES = 16 << 20;

  private static final int PIECE = 100_000;

  /**
   * For how long a partition rests after its turn. What began before its end may still write to it;
   * and while a fold waits for its lock, those who look at it wait, too.
   */
  private static final Duration REST = Duration.ofSeconds(2);

  // Neither the one that is written to now nor the next.
  private static final String READY =
      """
      select p.part, pg_relation_size(to_regclass('ebb.tally_' || p.part)) as bytes
      from (select date_part('epoch', clock_timestamp()) as second) c
      cross join lateral (select floor(c.second / 15)::bigint as turn) t
      cross join lateral (values
        ((t.turn + 2) % 4, interval '15 seconds'),
        ((t.turn + 3) % 4, (c.second - 15 * t.turn) * interval '1 second')) as p (part, rested)
      where p.rested >= ? * interval '1 microsecond'
      order by bytes desc
      limit 1
      """;

  private static final String LOCK =
      """
      select ebb.lock_tally(?::smallint)
      """;

  // New pairs get the places that are left, those of configured queues first. What was counted of a
  // pair goes along in arrays: a partition that filled within seconds has no statistics, and a join
  // of ten thousand queues' pairs would be planned as loops in loops that take minutes.
  private static final String FOLD =
      """
      ), counted as materialized (
        select
          s.step,
          date_bin(s.step * interval '1 minute', t.at, 'epoch') as at,
          t.queue, t.kind, t.counter, t.bucket,
          sum(t.number)::bigint as number,
          sum(t.micros)::float8 as micros
        from taken t
        cross join (values (1), (60), (1440)) as s (step)
        group by 1, 2, 3, 4, 5, 6
      ), known as materialized (
        select s.step, s.at, s.queue, s.kind
        from (select distinct step, at from counted) m
        cross join lateral (
          select * from ebb.stat s where s.step = m.step and s.at = m.at offset 0) s
      ), used as (
        select step, at, count(*) as places from known group by step, at
      ), pairs as (
        select
          step, at, queue, kind, sum(number) as total,
          (step, at, queue, kind) in (select step, at, queue, kind from known) as known,
          array_agg(counter) as counters, array_agg(bucket) as buckets,
          array_agg(number) as numbers, array_agg(micros) as times
        from counted
        group by step, at, queue, kind
      ), placed as materialized (
        select
          p.step, p.at, p.queue, p.kind, p.counters, p.buckets, p.numbers, p.times,
          p.known
            or coalesce(u.places, 0) + row_number() over (
              partition by p.step, p.at, p.known
              order by q.name is null, p.total desc, p.queue, p.kind) <= %1$s as own
        from pairs p
        left join used u using (step, at)
        left join ebb.queue q on q.name = p.queue
      ), kept as (
        insert into ebb.stat as s (
          step, at, queue, kind,
          submitted, started, completed, failed, throttled, dead, cancelled, redriven, discarded,
          released, snoozed,
          wait_micros, run_micros, wait, run)
        select
          p.step, p.at,
          case when p.own then p.queue else '*' end,
          case when p.own then p.kind else '*' end,
          %2$s,
          coalesce(sum(micros) filter (where counter = 2), 0),
          coalesce(sum(micros) filter (where counter in (3, 4, 5)), 0),
          ebb.sum_buckets(ebb.buckets(bucket, number)) filter (where counter = 2 and bucket >= 0),
          ebb.sum_buckets(ebb.buckets(bucket, number))
            filter (where counter in (3, 4, 5) and bucket >= 0)
        from placed p
        cross join lateral unnest(p.counters, p.buckets, p.numbers, p.times)
          as c (counter, bucket, number, micros)
        group by 1, 2, 3, 4
        on conflict (step, queue, kind, at) do update
        set
          submitted = s.submitted + excluded.submitted,
          started = s.started + excluded.started,
          completed = s.completed + excluded.completed,
          failed = s.failed + excluded.failed,
          throttled = s.throttled + excluded.throttled,
          dead = s.dead + excluded.dead,
          cancelled = s.cancelled + excluded.cancelled,
          redriven = s.redriven + excluded.redriven,
          discarded = s.discarded + excluded.discarded,
          released = s.released + excluded.released,
          snoozed = s.snoozed + excluded.snoozed,
          wait_micros = s.wait_micros + excluded.wait_micros,
          run_micros = s.run_micros + excluded.run_micros,
          wait = ebb.add_buckets(s.wait, excluded.wait),
          run = ebb.add_buckets(s.run, excluded.run)
      ), summed as (
        insert into ebb.stat_queue as s (queue, jobs, dead_letters, touched_at)
        select
          coalesce(queue, '*'),
          sum(ebb.jobs_added(counter, number)),
          sum(ebb.dead_letters_added(counter, number)),
          clock_timestamp()
        from counted
        where step = 1440
        group by grouping sets ((queue), ())
        having count(*) > 0
        on conflict (queue) do update
        set
          jobs = s.jobs + excluded.jobs,
          dead_letters = s.dead_letters + excluded.dead_letters,
          touched_at = excluded.touched_at
      )
      select count(*) from taken
      """
          .formatted(MOST_PAIRS, Counter.columns());

  private static final String FOLD_WHOLE =
      """
      with taken as materialized (
        select * from ebb.tally where part = ?
      """
          + FOLD;

  private static final String FOLD_SOME =
      """
      with taken as materialized (
        delete from ebb.tally
        where part = ?
          and ctid = any (array(select ctid from ebb.tally where part = ? limit ?))
        returning *
      """
          + FOLD;

  private static final String EMPTY =
      """
      select ebb.empty_tally(?::smallint)
      """;

  private final Database database;
  private final Duration rest;

  private record Part(int number, long bytes) {}

  public Fold(Database database) {
    this(database, REST);
  }

  /** The same with another rest of at most 15 seconds. */
  Fold(Database database, Duration rest) {
    this.database = database;
    this.rest = rest;
  }

  /** Folds what is ready of one partition. */
  public Step step() throws SQLException {
    if (database.inAutocommit(this::fullest).bytes() == 0) {
      return Step.DONE;
    }
    try {
      return database.inTransaction(this::foldOne);
    } catch (SQLException e) {
      if (SqlStates.isLocked(e)) {
        return Step.BUSY;
      }
      throw e;
    }
  }

  /** In a transaction. */
  Step foldOne(Connection connection) throws SQLException {
    if (!FoldLock.take(connection)) {
      return Step.BUSY;
    }
    Part fullest = fullest(connection);
    if (fullest.bytes() == 0) {
      return Step.DONE;
    }
    if (fullest.bytes() > MOST_BYTES && foldSome(connection, fullest) > 0) {
      return Step.MORE;
    }
    foldWhole(connection, fullest);
    return Step.MORE;
  }

  private Part fullest(Connection connection) throws SQLException {
    return Statements.one(
        connection,
        READY,
        p -> p.micros(rest),
        row -> new Part(row.getInt("part"), row.getLong("bytes")));
  }

  private static void foldWhole(Connection connection, Part part) throws SQLException {
    Statements.run(connection, LOCK, p -> p.integer(part.number()));
    var _ =
        Statements.one(
            connection, FOLD_WHOLE, p -> p.integer(part.number()), row -> row.getLong(1));
    Statements.run(connection, EMPTY, p -> p.integer(part.number()));
  }

  /** How many it folded. */
  private static long foldSome(Connection connection, Part part) throws SQLException {
    return Statements.one(
        connection,
        FOLD_SOME,
        p -> p.integer(part.number()).integer(part.number()).integer(PIECE),
        row -> row.getLong(1));
  }

  /**
   * Counts the jobs of each queue, if nodes of another release may have changed them unseen and do
   * so no more.
   */
  public void recount() throws SQLException {
    if (database.inAutocommit(DepthRecount::isDue)) {
      var _ = database.inTransaction(DepthRecount::run);
    }
  }
}
