package dev.ebb.db.submit;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/** The jobs that were acknowledged and lost, kept for 30 days. */
public final class LostJobs {
  // A job is in one of the three for a day at least, whatever people do to it.
  private static final String KEEP_MISSING =
      """
      with missing as (
        select a.*
        from unnest(?::uuid[], ?::text[], ?::text[], ?::bigint[])
          as a (id, queue, unique_key, at)
        where not exists (select from ebb.job j where j.id = a.id)
          and not exists (select from ebb.dead_letter d where d.id = a.id)
          and not exists (
            select from ebb.every_history h
            where h.id = a.id
              and h.ended_at >= ebb.made_at(a.id) - interval '1 day')
      )
      insert into ebb.lost_job (id, queue, unique_key, acknowledged_at)
      select id, queue, unique_key, timestamptz 'epoch' + at * interval '1 millisecond'
      from missing
      on conflict do nothing
      """;

  private static final String FORGET =
      """
      delete from ebb.lost_job
      where found_at < now() - interval '30 days'
      """;

  private static final String PAGE =
      """
      select id, queue, unique_key, acknowledged_at, found_at
      from ebb.lost_job
      where id > ?
      order by id
      limit ?
      """;

  private final Database database;

  public LostJobs(Database database) {
    this.database = database;
  }

  /** Forgets those that were found 30 days ago. */
  static int forget(Connection connection) throws SQLException {
    return Statements.update(connection, FORGET, _ -> {});
  }

  /** Keeps those of the jobs that the database does not have, and answers their number. */
  static int keepMissing(Connection connection, List<Acknowledged.Job> jobs) throws SQLException {
    return Statements.update(
        connection,
        KEEP_MISSING,
        p ->
            p.columns(jobs)
                .ids(Acknowledged.Job::id)
                .text(Acknowledged.Job::queue)
                .text(Acknowledged.Job::uniqueKey)
                .longs(job -> ChronoUnit.MILLIS.between(Instant.EPOCH, job.at())));
  }

  /** Those behind an id, by their ids, which are in the order in which they were submitted. */
  public List<LostJob> page(UUID after, int limit) throws SQLException {
    return database.inAutocommit(connection ->
        Statements.list(connection, PAGE, p -> p.id(after).integer(limit), LostJob::read));
  }
}
