package dev.ebb.db.view;

import dev.ebb.core.job.JobState;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The reads that people make: one job, its attempts, lists. */
public final class JobReads {
  /** How many rows a page looks at, at most: its cost is bounded, not its yield. */
  static final int SCAN = 5_000;

  private static final UUID NEWEST = new UUID(-1, -1);

  private static final String FIND_NEW =
      """
      select * from ebb.new_job where id = ?
      """;

  private static final String FIND =
      """
      select * from ebb.every_job where id = ?
      """;

  private static final String LIST =
      """
      with running as materialized (
        select l.id, l.version from ebb.leased l
      ), scanned as materialized (
        (
          select j.id, j.queue, j.kind,
            case when (j.id, j.version) in (select id, version from running)
              then 'running' else 'available' end as state
          from ebb.job j
          where ? and j.id < ?
          order by j.id desc
          limit ?
        )
        union all
        (
          select d.id, d.queue, d.kind, 'dead_letter'
          from ebb.dead_letter d
          where ? and d.id < ?
          order by d.id desc
          limit ?
        )
        union all
        (
          select h.id, h.queue, h.kind, case when h.cancelled then 'cancelled' else 'completed' end
          from ebb.every_history h
          where ? and h.id < ?
          order by h.id desc
          limit ?
        )
        order by id desc
        limit ?
      ), picked as materialized (
        select id
        from scanned
        where (?::text is null or queue = ?)
          and (?::text is null or kind = ?)
          and (?::text is null or state = ?)
        order by id desc
        limit ?
      ), summary as (
        select count(*) as scanned, (select id from scanned order by id limit 1) as oldest
        from scanned
      )
      select s.scanned, s.oldest, %1$s
      from summary s
      left join (
        select v.*
        from picked p
        cross join lateral (select * from ebb.every_job e where e.id = p.id) v
      ) v on true
      order by v.id desc
      """
          .formatted(JobView.IN_LISTS);

  private final Database database;

  public JobReads(Database database) {
    this.database = database;
  }

  /**
   * A page of a list, newest first. It may be short, even empty, before the end: the cost of a page
   * is bounded, not its yield.
   *
   * @param jobs without their payloads
   * @param next the cursor of the next page, {@code null} at the end
   */
  public record Page(List<JobView> jobs, @Nullable UUID next) {}

  /** The job, wherever it is. A new one is found first, and for a tenth of what others cost. */
  public Optional<JobView> find(UUID id) throws SQLException {
    return database.inAutocommit(connection -> {
      JobView fresh = find(connection, FIND_NEW, id);
      return Optional.ofNullable(fresh == null ? find(connection, FIND, id) : fresh);
    });
  }

  private static @Nullable JobView find(Connection connection, String sql, UUID id)
      throws SQLException {
    return Statements.first(connection, sql, p -> p.id(id), JobView::read);
  }

  /**
   * A page of the job's attempts.
   *
   * @param after where it begins; {@code null} for the oldest
   * @param limit of attempts
   */
  public AttemptPage attempts(UUID id, AttemptPage.@Nullable Position after, int limit)
      throws SQLException {
    return database.inAutocommit(connection -> AttemptReads.page(connection, id, after, limit));
  }

  /** A page of the jobs that the filter lets through, at most {@code limit} of them. */
  public Page list(JobFilter filter, int limit) throws SQLException {
    try (Connection connection = database.connection();
        PreparedStatement statement = connection.prepareStatement(LIST)) {
      bind(statement, filter, limit);
      try (ResultSet rows = statement.executeQuery()) {
        return page(rows, limit);
      }
    }
  }

  private static void bind(PreparedStatement statement, JobFilter filter, int limit)
      throws SQLException {
    UUID before = filter.before() == null ? NEWEST : filter.before();
    boolean[] wanted = {
      wants(filter, JobState.AVAILABLE) || wants(filter, JobState.RUNNING),
      wants(filter, JobState.DEAD_LETTER),
      wants(filter, JobState.COMPLETED) || wants(filter, JobState.CANCELLED)
    };
    Parameters parameters = Parameters.of(statement);
    for (boolean branch : wanted) {
      parameters.flag(branch).id(before).integer(SCAN);
    }
    parameters.integer(SCAN);
    for (String value :
        new @Nullable String[] {filter.queue(), filter.kind(), word(filter.state())}) {
      parameters.text(value).text(value);
    }
    parameters.integer(limit);
  }

  private static boolean wants(JobFilter filter, JobState state) {
    return filter.state() == null || filter.state() == state;
  }

  private static @Nullable String word(@Nullable JobState state) {
    return state == null ? null : state.word();
  }

  private static Page page(ResultSet rows, int limit) throws SQLException {
    List<JobView> jobs = new ArrayList<>();
    UUID oldestScanned = null;
    while (rows.next()) {
      if (rows.getLong("scanned") == SCAN) {
        oldestScanned = rows.getObject("oldest", UUID.class);
      }
      if (rows.getObject("id") != null) {
        jobs.add(JobView.read(rows));
      }
    }
    return new Page(jobs, jobs.size() == limit ? jobs.getLast().id() : oldestScanned);
  }
}
