package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds the jobs of a filter as a list does, page by page, for those who act on them. */
public final class JobScan {
  private static final String FOUND =
      """
      select r.scanned, r.farthest, f.id, f.queue, f.died_at
      from reach r
      left join (
        select p.id, j.queue, d.died_at
        from picked p
        join scanned j on j.id = p.id
        left join lateral (
          select died_at from ebb.dead_letter d where d.id = p.id offset 0
        ) d on true
      ) f on true
      order by f.id desc
      """;

  private JobScan() {}

  /** A job, and its queue. */
  public record FoundJob(UUID id, String queue) {}

  /**
   * A page. It may be short, even empty, before the end: its cost is bounded, not its yield.
   *
   * @param next only older jobs are on the next page; {@code null} at the end
   */
  public record Page(List<FoundJob> jobs, @Nullable UUID next) {}

  /**
   * A page of the filter's jobs.
   *
   * @param before only jobs with a smaller id; {@code null} for the newest
   * @param died dead letters that died at this instant or later are left out
   */
  public static Page page(
      Connection connection, JobFilter filter, @Nullable UUID before, Instant died, int limit)
      throws SQLException {
    PageSql.Reach reach = SearchDepth.PAGE.reach(connection, filter, JobOrder.NEWEST, before);
    String sql = PageSql.of(reach) + FOUND;
    try (PreparedStatement statement = Statements.prepare(connection, sql)) {
      Parameters parameters = Parameters.of(statement);
      PageSql.bind(parameters, reach);
      parameters.integer(limit);
      try (ResultSet rows = statement.executeQuery()) {
        return page(rows, died, reach.scan(), limit);
      }
    }
  }

  private static Page page(ResultSet rows, Instant died, int scan, int limit) throws SQLException {
    List<FoundJob> jobs = new ArrayList<>();
    UUID last = null;
    UUID oldest = null;
    int picked = 0;
    while (rows.next()) {
      oldest = rows.getInt("scanned") == scan ? rows.getObject("farthest", UUID.class) : null;
      UUID id = rows.getObject("id", UUID.class);
      if (id != null) {
        picked++;
        last = id;
        Instant diedAt = Rows.instantOrNull(rows, "died_at");
        if (diedAt == null || diedAt.isBefore(died)) {
          jobs.add(new FoundJob(id, rows.getString("queue")));
        }
      }
    }
    return new Page(jobs, picked == limit ? last : oldest);
  }
}
