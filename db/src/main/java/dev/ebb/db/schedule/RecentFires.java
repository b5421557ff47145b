package dev.ebb.db.schedule;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the last fires of several schedules at once. */
final class RecentFires {
  private static final String RECENT =
      """
      select asked.name, f.*
      from unnest(?::text[]) as asked (name)
      cross join lateral (
        select fire_at, fired_at, result, by_hand, missed, job_id, node, error
        from ebb.schedule_fire x
        where x.schedule = asked.name
        order by x.fire_at desc
        limit ?
      ) f
      order by asked.name, f.fire_at desc
      """;

  private RecentFires() {}

  /** By schedule, the newest first; none for one that has not fired. */
  static Map<String, List<FireView>> of(Connection connection, Collection<String> names, int each)
      throws SQLException {
    Map<String, List<FireView>> recent = new HashMap<>();
    Statements.list(
        connection,
        RECENT,
        p -> p.texts(names).integer(each),
        row ->
            recent
                .computeIfAbsent(row.getString("name"), _ -> new ArrayList<>())
                .add(FireRow.view(row)));
    return recent;
  }
}
