package dev.ebb.db.claim;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells in one statement, and without a write, which queues have work.
 *
 * <pre>
 *   job_due, by run_at                              the queues, by name
 *   ──────┬───────────────┬────── coming ──▶        ──────┬─────────────┬──────
 *         last look       now                             after         next after
 *          └─ became due ─┘                                └─ a stretch ┘
 * </pre>
 *
 * <p>A look reads what became due since the last one, of any queue: retries, delayed jobs, and
 * queues whose pause has ended, or whose circuit holds them no more. What is due when it is stored
 * comes with a notification; for those that are lost a look goes through a stretch of all queues as
 * well, and the next goes on behind it.
 *
 * <p>Of one queue in that stretch it looks at no more than {@value #MOST_LOOKED_AT} due jobs. If
 * all of these are of other kinds or claimed, there may be work behind them: a claim will tell.
 */
public final class WorkFinder {
  static final int MOST_LOOKED_AT = 1_000;

  /** If more became due since the last look, only one through all queues tells of all of them. */
  static final int MOST_BECAME_DUE = 10_000;

  private static final String ALL =
      """
      with recursive asked (after, most) as (
        select ?::text, ?::integer
      ), steps (name, place) as (
        -- Steps from queue to queue along the claim index, which costs a probe for each, and one
        -- further than asked, to know whether there is another.
        (
          select j.queue, 1
          from ebb.job j
          where j.queue > (select a.after from asked a)
          order by j.queue
          limit 1
        )
        union all
        select
          (select j.queue from ebb.job j where j.queue > s.name order by j.queue limit 1),
          s.place + 1
        from steps s
        where s.name is not null and s.place <= (select a.most from asked a)
      ), q (name) as (
        select s.name from steps s
        where s.name is not null and s.place <= (select a.most from asked a)
      ), next (after) as (
        select (
          select s.name from steps s
          where s.place = a.most
            and exists (select from steps f where f.place > a.most and f.name is not null))
        from asked a
      )
      """;

  private static final String SOME =
      """
      with q (name) as (
        select unnest(?::text[])
      ), next (after) as (
        select ?::text
      )
      """;

  // Commits come in another order than their times: the last two seconds are read again.
  private static final String WORK =
      """
      , became as materialized (
        select j.id, j.version, j.queue, j.kind
        from ebb.job j
        where j.run_at > j.created_at
          and j.run_at > least(?, statement_timestamp()) - interval '2 seconds'
          and j.run_at <= statement_timestamp()
        order by j.run_at
        limit ?
      ), coming as materialized (
        select j.queue, j.kind, j.run_at
        from ebb.job j
        where j.run_at > j.created_at
          and j.run_at > statement_timestamp()
          and j.run_at < statement_timestamp() + ? * interval '1 microsecond'
        order by j.run_at
        limit 1000
      ), resumed as materialized (
        select s.name
        from ebb.queue s
        where s.paused
          and s.paused_until > least(?, statement_timestamp()) - interval '2 seconds'
          and s.paused_until <= statement_timestamp()
        order by s.paused_until
        limit ?
      ), released as materialized (
        select c.queue as name
        from ebb.circuit c
        where c.held_until > least(?, statement_timestamp()) - interval '2 seconds'
          and c.held_until <= statement_timestamp()
        order by c.held_until
        limit ?
      ), leased as materialized (
        select unnest(l.job_ids) as id, unnest(l.versions) as version
        from ebb.lease l
        where l.id >= ?
      ), told (name) as (
        select q.name
        from (
          select name from q
          union select name from resumed
          union select name from released
        ) q
        left join ebb.queue s on s.name = q.name
        left join ebb.circuit c on c.queue = q.name and s.destination is not null
        where %1$s
          and exists (
            select
            from (
              select j.id, j.version, j.kind, row_number() over () as place
              from (
                select id, version, kind
                from ebb.job j
                where j.queue = q.name
                  and j.run_at <= statement_timestamp()
                limit ?
              ) j
            ) due
            where due.place = ?
              or (due.kind = any (?)
                and (due.id, due.version) not in (select id, version from leased)))
        union
        select b.queue
        from became b
        left join ebb.queue s on s.name = b.queue
        left join ebb.circuit c on c.queue = b.queue and s.destination is not null
        where %1$s
          and b.kind = any (?)
          and (b.id, b.version) not in (select id, version from leased)
      )
      select
        array(select t.name from told t) as queues,
        (select n.after from next n) as after,
        (select count(*) from became) + (select count(*) from resumed)
          + (select count(*) from released) as became_due,
        (
          select (extract(epoch from min(n.run_at) - statement_timestamp()) * 1000000)::bigint
          from coming n
          left join ebb.queue s on s.name = n.queue
          left join ebb.circuit c on c.queue = n.queue and s.destination is not null
          where n.kind = any (?)
            and (s.paused and coalesce(s.paused_until > n.run_at, true)) is not true
            and (c.held_until > n.run_at) is not true
        ) as micros_until_next,
        (select min(l.id) from ebb.lease l where l.id >= ?) as first_lease,
        statement_timestamp() as now
      """
          .formatted(
              """
              (s.paused and coalesce(s.paused_until > statement_timestamp(), true)) is not true
                and (c.held_until > statement_timestamp()) is not true\
              """);

  private static final String AMONG_ALL = ALL + WORK;
  private static final String AMONG_SOME = SOME + WORK;

  private final Database database;

  public WorkFinder(Database database) {
    this.database = database;
  }

  /**
   * Where a look begins.
   *
   * @param after the queue behind which its stretch begins; empty for the first queue
   * @param since when the last look was, by the database's clock; {@code null} for none
   * @param leasesFrom an id below which the last look saw no lease
   */
  public record Place(String after, @Nullable Instant since, long leasesFrom) {
    public static final Place BEGINNING = new Place("", null, LeaseFloor.NONE.id());

    /** The same, through the queues from the first. */
    public Place fromTheFirst() {
      return new Place("", since, leasesFrom);
    }
  }

  /**
   * What a look found.
   *
   * @param queues those that have a due job of one of the kinds, unpaused and unclaimed, or that
   *     may have one
   * @param next where the next look begins
   * @param overflowed whether more became due than a look tells of: only one through all queues
   *     will
   * @param untilNext how long until the next job becomes due; {@code null} if none does so soon
   */
  public record Found(
      List<String> queues, Place next, boolean overflowed, @Nullable Duration untilNext) {}

  /**
   * Looks once.
   *
   * @param among only these queues; {@code null} for all
   * @param most through how many queues it goes, at least 1
   * @param ahead how soon a job must become due for the look to tell when
   */
  public Found find(
      List<String> kinds, @Nullable List<String> among, Place place, int most, Duration ahead)
      throws SQLException {
    return database.inAutocommit(connection ->
        Statements.one(
            connection,
            among == null ? AMONG_ALL : AMONG_SOME,
            p -> {
              stretch(p, among, place.after, most);
              p.time(place.since).integer(MOST_BECAME_DUE).micros(ahead);
              p.time(place.since).integer(MOST_BECAME_DUE);
              p.time(place.since).integer(MOST_BECAME_DUE).bigint(place.leasesFrom);
              p.integer(MOST_LOOKED_AT).integer(MOST_LOOKED_AT).texts(kinds);
              p.texts(kinds).texts(kinds).bigint(place.leasesFrom);
            },
            row -> found(row, among)));
  }

  private static void stretch(
      Parameters parameters, @Nullable List<String> among, String after, int most)
      throws SQLException {
    if (among == null) {
      parameters.text(after).integer(most);
    } else {
      int from = among.indexOf(after) + 1;
      int to = (int) Math.min(among.size(), (long) from + most);
      parameters.texts(among.subList(from, to)).text(to < among.size() ? among.get(to - 1) : null);
    }
  }

  private static Found found(ResultSet row, @Nullable List<String> among) throws SQLException {
    Set<String> queues = new LinkedHashSet<>();
    Collections.addAll(queues, (String[]) row.getArray("queues").getArray());
    if (among != null) {
      queues.retainAll(Set.copyOf(among));
    }
    String after = row.getString("after");
    long micros = row.getLong("micros_until_next");
    Duration untilNext = row.wasNull() ? null : Duration.of(micros, ChronoUnit.MICROS);
    Instant now = Rows.instant(row, "now");
    long leasesFrom = LeaseFloor.of(row.getObject("first_lease", Long.class), now, 0).id();
    return new Found(
        List.copyOf(queues),
        new Place(after == null ? "" : after, now, leasesFrom),
        row.getLong("became_due") >= MOST_BECAME_DUE,
        untilNext);
  }
}
