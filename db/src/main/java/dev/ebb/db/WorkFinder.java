package dev.ebb.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells in one statement, and without a write, which queues have work. */
public final class WorkFinder {
  // Steps from queue to queue along the claim index; the queues of a million jobs cost a probe
  // each.
  private static final String QUEUES_WITH_WORK =
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
        and not coalesce(s.paused, false)
        and (?::text[] is null or q.name = any (?))
        and exists (
          select from ebb.job j
          where j.queue = q.name
            and j.run_at <= statement_timestamp()
            and j.kind = any (?)
            and (j.id, j.version) not in (
              select l.id, l.version from ebb.leased l))
      """;

  private final Database database;

  public WorkFinder(Database database) {
    this.database = database;
  }

  /**
   * The queues that have a due job of one of the kinds, unpaused and unclaimed.
   *
   * @param among only these; {@code null} for all
   */
  public List<String> queuesWithWork(List<String> kinds, @Nullable List<String> among)
      throws SQLException {
    try (Connection connection = database.connection();
        PreparedStatement statement = connection.prepareStatement(QUEUES_WITH_WORK)) {
      Object wanted = among == null ? null : connection.createArrayOf("text", among.toArray());
      statement.setObject(1, wanted, java.sql.Types.ARRAY);
      statement.setObject(2, wanted, java.sql.Types.ARRAY);
      statement.setArray(3, connection.createArrayOf("text", kinds.toArray()));
      List<String> queues = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          queues.add(rows.getString(1));
        }
      }
      return queues;
    }
  }
}
