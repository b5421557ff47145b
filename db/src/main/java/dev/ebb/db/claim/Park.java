package dev.ebb.db.claim;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Takes due jobs out of the claims' way that are behind another of their ordering key.
 *
 * <pre>
 *   number    7        9       12      15
 *             head     parked  parked  parked
 *             │ends ─▶ woken by the trigger pass_turn (V42)
 *             │keeps them for too long ─▶ all due: what is still behind another is parked again
 * </pre>
 *
 * <p>A parked job is held until the head may keep it no longer, or without end; its {@code
 * blocked_version} tells that nobody else holds it.
 *
 * <p>The head is locked, so that it cannot end unseen: a settle that ends it either came first, and
 * then nothing is parked, or waits until this claim has committed, and wakes what was parked. A
 * claim itself waits for no row.
 */
final class Park {
  private static final String PARK =
      """
      with blocked as materialized (
        select j.id, j.queue, j.ordering_key, j.ordering_number
        from ebb.job j
        where j.id = any (?)
          and j.run_at <= statement_timestamp()
        order by j.id
        for no key update skip locked
      ), first as materialized (
        select h.id
        from (select distinct b.queue, b.ordering_key from blocked b) k
        cross join lateral (
          select h.id
          from ebb.job h
          where h.queue = k.queue
            and h.ordering_key = k.ordering_key
            and (h.blocks_until is null or h.blocks_until > statement_timestamp())
          order by h.ordering_number
          limit 1
        ) h
      ), locked as materialized (
        select
          h.id, h.queue, h.ordering_key, h.ordering_number, h.blocks_until,
          ebb.is_held(h.blocked_version, h.version, h.held_until) as parked
        from ebb.job h
        where h.id = any (array(select f.id from first f))
          and (h.blocks_until is null or h.blocks_until > statement_timestamp())
        order by h.id
        for no key update skip locked -- head
      ), head as materialized (
        select
          l.id, l.queue, l.ordering_key, l.ordering_number,
          coalesce(
            l.blocks_until,
            statement_timestamp() + (q.ordering ->> 'maxHold')::interval,
            'infinity') as until
        from locked l
        left join ebb.queue q on q.name = l.queue
        where not l.parked
      ), limited as (
        -- At its version: a lease must keep it.
        update ebb.job j
        set blocks_until = h.until
        from head h
        where j.id = any (array(select l.id from locked l))
          and j.id = h.id
          and j.blocks_until is null
          and h.until < 'infinity'
      ), parked as (
        update ebb.job j
        set version = j.version + 1,
          blocked_version = j.version + 1,
          held_version = j.version + 1,
          held_until = h.until,
          held_reason = null,
          held_run_at = j.run_at,
          run_at = h.until
        from blocked b
        join head h on h.queue = b.queue
          and h.ordering_key = b.ordering_key
          and h.ordering_number < b.ordering_number
        where j.id = any (array(select b.id from blocked b))
          and j.id = b.id
        returning j.queue
      ), woken as materialized (
        -- One that nobody woke when it became the first.
        select l.queue, ebb.wake(l.id)
        from locked l
        where l.parked
      )
      select queue, count(*)
      from (select queue from parked union all select queue from woken) moved
      group by queue
      """;

  private Park() {}

  /**
   * Parks those of the jobs that are behind another, and answers by queue how many it has moved: a
   * parked one that is the first of its key is woken. Needs the queues' locks.
   */
  static Map<String, Integer> park(Connection connection, List<UUID> blocked) throws SQLException {
    Map<String, Integer> moved = new HashMap<>();
    Statements.list(
            connection,
            PARK,
            p -> p.ids(blocked),
            row -> Map.entry(row.getString("queue"), row.getInt("count")))
        .forEach(entry -> moved.put(entry.getKey(), entry.getValue()));
    return moved;
  }
}
