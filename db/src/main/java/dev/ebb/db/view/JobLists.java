package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists the jobs of a filter, page by page, newest first. */
final class JobLists {
  /** How many rows a page looks at, at most: its cost is bounded, not its yield. */
  static final int SCAN = 5_000;

  /** The same where each row costs a look at its attempts or its payload. */
  static final int DEAR_SCAN = 500;

  private static final String PAGE =
      """
      , summary as (
        select
          (select count(*) from scanned) as scanned, s.id as oldest, s.created_at as oldest_created
        from (select 1) as one
        left join (select id, created_at from scanned order by id limit 1) s on true
      )
      select s.scanned, s.oldest, s.oldest_created, %1$s
      from summary s
      left join (
        select v.*
        from picked p
        -- With the offset, each job is looked up; without it, all jobs are read and joined.
        cross join lateral (select * from ebb.every_job e where e.id = p.id offset 0) v
      ) v on true
      order by v.id desc
      """
          .formatted(JobView.IN_LISTS);

  private static final String LIST =
      "with " + FilterSql.WANTED + FilterSql.NEWEST + FilterSql.PICKED + PAGE;

  private JobLists() {}

  static JobPage page(Connection connection, JobFilter filter, @Nullable UUID before, int limit)
      throws SQLException {
    int scan = scan(filter);
    try (PreparedStatement statement = connection.prepareStatement(LIST)) {
      Parameters parameters = Parameters.of(statement);
      FilterSql.bindNewest(parameters, filter, before, scan);
      parameters.integer(limit);
      try (ResultSet rows = statement.executeQuery()) {
        return page(rows, scan, limit);
      }
    }
  }

  /** How many rows a page of the filter looks at. */
  static int scan(JobFilter filter) {
    return FilterSql.isDear(filter) ? DEAR_SCAN : SCAN;
  }

  private static JobPage page(ResultSet rows, int scan, int limit) throws SQLException {
    List<JobView> jobs = new ArrayList<>();
    JobPage.Looked looked = new JobPage.Looked(0, null);
    UUID oldest = null;
    while (rows.next()) {
      looked =
          new JobPage.Looked(rows.getInt("scanned"), Rows.instantOrNull(rows, "oldest_created"));
      oldest = rows.getObject("oldest", UUID.class);
      if (rows.getObject("id") != null) {
        jobs.add(JobView.read(rows));
      }
    }
    if (jobs.size() == limit) {
      JobView last = jobs.getLast();
      return new JobPage(jobs, last.id(), looked);
    }
    return new JobPage(jobs, looked.jobs() == scan ? oldest : null, looked);
  }
}
