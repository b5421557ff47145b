package dev.ebb.db.claim;

/**
 * Whether it is the turn of a job with an ordering key: parts of the statement by which a claim
 * looks at what is due.
 *
 * <pre>
 *   number   7        9        12
 *            first    blocked  blocked       the first has its turn
 *
 *   number   7        9        12
 *            late     runs     blocked       nobody has: 9 was claimed before 7 had committed
 * </pre>
 *
 * <p>A job that was skipped, or whose hold is over, is in no one's way and waits for nobody.
 */
final class Turn {
  /** How many blocked jobs a claim is told of by each scan, to {@linkplain Park park} them. */
  static final int MOST_BLOCKED = 2_000;

  /** The nearest job that keeps {@code j} from running; null for none. */
  static final String BLOCKER =
      """
      (
        select e.id
        from ebb.job e
        where e.queue = j.queue
          and e.ordering_key = j.ordering_key
          and e.ordering_number < j.ordering_number
          and (e.blocks_until is null or e.blocks_until > statement_timestamp())
        order by e.ordering_number desc
        limit 1
      )\
      """;

  /** Of the queues {@code asked}: the keys of which a job runs that keeps others. */
  static final String RUNNING =
      """
      select e.queue, e.ordering_key
      from asked a
      cross join lateral (
        select *
        from ebb.lease l
        where l.queue = a.queue
          and l.id >= a.leases_from
        offset 0
      ) l
      cross join unnest(l.job_ids, l.versions) as named (id, version)
      cross join lateral (select * from ebb.job e where e.id = named.id offset 0) e
      where a.ordered = 1
        and e.version = named.version
        and e.ordering_key is not null
        and (e.blocks_until is null or e.blocks_until > statement_timestamp())\
      """;

  // The keys that run are read once, and only if there is a first job with another behind it.
  /** The condition on {@code j}, beside {@link #RUNNING} as {@code running}. */
  static final String IS_THERE =
      """
      (j.ordering_key is null
        or j.blocks_until <= statement_timestamp()
        or (%s is null
          and not ((
              select true
              from ebb.job e
              where e.queue = j.queue
                and e.ordering_key = j.ordering_key
                and e.ordering_number > j.ordering_number
              order by e.ordering_number
              limit 1) is not null
            and (j.queue, j.ordering_key) in (select queue, ordering_key from running))))\
      """
          .formatted(BLOCKER);

  private Turn() {}
}
