package dev.ebb.db.claim;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells in one statement, and without a write, which queues have work.
 *
 * <p>It looks at no more than {@value #MOST_LOOKED_AT} due jobs of a queue. If all of these are of
 * other kinds or claimed, there may be work behind them: a claim will tell.
 */
public final class WorkFinder {
  static final int MOST_LOOKED_AT = 1_000;

  private static final String HAS_WORK =
      """
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
              and (due.id, due.version) not in (
                select l.id, l.version from ebb.leased l)))
      """;

  // Steps from queue to queue along the claim index; the queues of a million jobs cost a probe
  // each.
  private static final String AMONG_ALL =
      """
      with recursive q (name) as (
        (select j.queue from ebb.job j order by j.queue limit 1)
        union all
        select (select j.queue from ebb.job j where j.queue > q.name order by j.queue limit 1)
        from q
        where q.name is not null
      )
      select q.name
      from q
      left join ebb.queue s on s.name = q.name
      where q.name is not null
        and (s.paused and coalesce(s.paused_until > statement_timestamp(), true)) is not true
      """
          + HAS_WORK;

  private static final String AMONG_SOME =
      """
      select q.name
      from unnest(?::text[]) as q (name)
      left join ebb.queue s on s.name = q.name
      where (s.paused and coalesce(s.paused_until > statement_timestamp(), true)) is not true
      """
          + HAS_WORK;

  private final Database database;

  public WorkFinder(Database database) {
    this.database = database;
  }

  /**
   * The queues that have a due job of one of the kinds, unpaused and unclaimed, or that may have
   * one.
   *
   * @param among only these; {@code null} for all
   */
  public List<String> queuesWithWork(List<String> kinds, @Nullable List<String> among)
      throws SQLException {
    return database.inAutocommit(connection ->
        Statements.list(
            connection,
            among == null ? AMONG_ALL : AMONG_SOME,
            p ->
                (among == null ? p : p.texts(among))
                    .integer(MOST_LOOKED_AT)
                    .integer(MOST_LOOKED_AT)
                    .texts(kinds),
            row -> row.getString(1)));
  }
}
