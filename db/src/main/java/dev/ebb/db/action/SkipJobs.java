package dev.ebb.db.action;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** The action skip: jobs no longer keep others of their ordering keys from running. */
final class SkipJobs {
  // The version stays, so that a lease still owns what runs.
  private static final String SKIP =
      """
      with live as materialized (
        select j.id, j.queue
        from ebb.job j
        where j.id = any (?)
          and j.queue = any (?)
        order by j.id
        for update skip locked
      ), skipped as (
        update ebb.job j
        set blocks_until = '-infinity'
        from live l
        where j.id = l.id
          and j.ordering_key is not null
      )
      select id, queue, false as requested from live
      """;

  private SkipJobs() {}

  static List<ActedJob> run(Connection connection, List<UUID> ids, List<String> queues)
      throws SQLException {
    return Statements.list(connection, SKIP, p -> p.ids(ids).texts(queues), ActedJob::read);
  }
}
