package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
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
  /** How many rows a page looks at, at most: its cost is bounded, not its yield. */
  static final int SCAN = 5_000;

  /** The same where each row costs a look at its attempts or its payload. */
  static final int DEAR_SCAN = 500;

  private static final String PAGE =
      """
      , summary as (
        select
          (select count(*) from scanned) as scanned,
          (select count(*) from picked) as picked,
          s.id as farthest, s.created_at as farthest_created
        from (select 1) as one
        left join (select id, created_at from scanned order by id %2$s limit 1) s on true
      )
      select
        s.scanned, s.picked, s.farthest, s.farthest_created, %1$s,
        case when ? then v.payload end as payload
      from summary s
      left join (
        select
          v.*,
          -- Lengths are known without the payloads.
          coalesce(
            sum(octet_length(v.payload)) over (
              order by v.id %3$s rows between unbounded preceding and 1 preceding),
            0) as bytes_before
        from picked p
        -- With the offset, each job is looked up; without it, all jobs are read and joined.
        cross join lateral (select * from ebb.every_job e where e.id = p.id offset 0) v
      ) v on not ? or v.bytes_before < ?
      order by v.id %3$s
      """;

  private static final String LIST =
      "with "
          + FilterSql.WANTED
          + PageSql.NEWEST
          + FilterSql.PICKED
          + PAGE.formatted(JobView.IN_LISTS, "asc", "desc");

  private static final String LIST_OLDEST =
      "with "
          + FilterSql.WANTED
          + PageSql.OLDEST
          + FilterSql.PICKED_OLDEST
          + PAGE.formatted(JobView.IN_LISTS, "desc", "asc");

  private JobLists() {}

  static JobPage page(Connection connection, JobFilter filter, JobPage.PageRequest asked)
      throws SQLException {
    int scan = scan(filter);
    try (PreparedStatement statement = Statements.prepare(connection, sql(asked))) {
      Parameters parameters = Parameters.of(statement);
      PageSql.bind(parameters, filter, asked.order(), asked.after(), scan);
      parameters.integer(asked.limit());
      parameters.flag(asked.payloads()).flag(asked.payloads()).bigint(JobReads.MOST_PAYLOAD_BYTES);
      try (ResultSet rows = statement.executeQuery()) {
        return page(rows, scan, asked.limit());
      }
    }
  }

  private static String sql(JobPage.PageRequest asked) {
    return switch (asked.order()) {
      case NEWEST -> LIST;
      case OLDEST -> LIST_OLDEST;
    };
  }

  /** How many rows a page of the filter looks at. */
  static int scan(JobFilter filter) {
    return FilterSql.isDear(filter) ? DEAR_SCAN : SCAN;
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
        jobs.add(JobView.read(rows));
      }
    }
    boolean isCut = jobs.size() == limit || jobs.size() < picked;
    UUID beyond = looked.jobs() == scan ? farthest : null;
    return new JobPage(jobs, isCut ? jobs.getLast().id() : beyond, looked);
  }
}
