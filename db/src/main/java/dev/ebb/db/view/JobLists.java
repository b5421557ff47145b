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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Lists the jobs of a filter, page by page. */
final class JobLists {
  private static final String PAGE =
      """
      select
        r.scanned, r.farthest, r.farthest_created, (select count(*) from picked) as picked, %1$s,
        case when ? then v.payload end as payload
      from reach r
      left join (
        select
          v.*,
          -- Lengths are known without the payloads.
          coalesce(
            sum(octet_length(v.payload)) over (
              order by v.id %2$s rows between unbounded preceding and 1 preceding),
            0) as bytes_before
        from picked p
        -- With the offset, each job is looked up; without it, all jobs are read and joined.
        cross join lateral (select * from ebb.every_job e where e.id = p.id offset 0) v
      ) v on not ? or v.bytes_before < ?
      order by v.id %2$s
      """;

  private static final String NEWEST = PAGE.formatted(JobView.IN_LISTS, "desc");
  private static final String OLDEST = PAGE.formatted(JobView.IN_LISTS, "asc");

  private JobLists() {}

  static JobPage page(Connection connection, JobFilter filter, JobPage.PageRequest asked)
      throws SQLException {
    PageSql.Reach reach = SearchDepth.PAGE.reach(connection, filter, asked.order(), asked.after());
    try (PreparedStatement statement = Statements.prepare(connection, sql(reach))) {
      Parameters parameters = Parameters.of(statement);
      PageSql.bind(parameters, reach);
      parameters.integer(asked.limit());
      parameters.flag(asked.payloads()).flag(asked.payloads()).bigint(JobReads.MOST_PAYLOAD_BYTES);
      try (ResultSet rows = statement.executeQuery()) {
        return page(rows, reach.scan(), asked.limit());
      }
    }
  }

  private static String sql(PageSql.Reach reach) {
    return PageSql.of(reach) + (reach.order() == JobOrder.NEWEST ? NEWEST : OLDEST);
  }

  private static JobPage page(ResultSet rows, int scan, int limit) throws SQLException {
    List<JobView> jobs = new ArrayList<>();
    JobPage.SearchReach looked = new JobPage.SearchReach(0, null);
    UUID farthest = null;
    int picked = 0;
    while (rows.next()) {
      looked =
          new JobPage.SearchReach(
              rows.getInt("scanned"), Rows.instantOrNull(rows, "farthest_created"));
      farthest = rows.getObject("farthest", UUID.class);
      picked = rows.getInt("picked");
      if (rows.getObject("id") != null) {
        jobs.add(JobView.listed(rows));
      }
    }
    boolean isCut = jobs.size() == limit || jobs.size() < picked;
    UUID beyond = looked.jobs() == scan ? farthest : null;
    return new JobPage(jobs, isCut ? jobs.getLast().id() : beyond, looked);
  }
}
