package dev.ebb.db.schedule;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.SQLException;
import java.util.List;

/**
 * The fires that are over, and how long they are kept: for 30 days, and the last 1,000 of each
 * schedule. The last one stays, and so do those that wait.
 */
public final class FireHistory {
  private static final int SCHEDULES = 100;
  private static final int MOST_PRUNED = 1_000;

  private static final String NAMES =
      """
      select name
      from ebb.schedule
      where name > ?
      order by name
      limit ?
      """;

  private static final String PRUNE =
      """
      delete from ebb.schedule_fire f
      using (
        select x.schedule, x.fire_at
        from unnest(?::text[]) s (name)
        cross join lateral (
          select f.schedule, f.fire_at
          from ebb.schedule_fire f
          where f.schedule = s.name
            and f.result <> 'waiting'
            and f.fire_at < greatest(
              statement_timestamp() - interval '30 days',
              (
                select k.fire_at
                from ebb.schedule_fire k
                where k.schedule = s.name
                order by k.fire_at desc
                offset 999
                limit 1
              ))
            and f.fire_at < (
              select max(k.fire_at) from ebb.schedule_fire k where k.schedule = s.name)
          order by f.fire_at
          limit ?
          for update skip locked
        ) x
        limit ?
      ) old
      where f.schedule = old.schedule and f.fire_at = old.fire_at
      """;

  private final Database database;
  private String after = "";

  public FireHistory(Database database) {
    this.database = database;
  }

  /** Removes a batch of what is old, and answers whether there may be more. */
  public boolean prune() throws SQLException {
    return database.inAutocommit(connection -> {
      List<String> names =
          Statements.list(
              connection,
              NAMES,
              p -> p.text(after).integer(SCHEDULES),
              row -> row.getString("name"));
      int pruned =
          Statements.update(
              connection, PRUNE, p -> p.texts(names).integer(MOST_PRUNED).integer(MOST_PRUNED));
      if (pruned < MOST_PRUNED) {
        after = names.size() < SCHEDULES ? "" : names.getLast();
      }
      return pruned == MOST_PRUNED || !after.isEmpty();
    });
  }
}
