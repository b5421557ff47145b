package dev.ebb.bench.contender;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** Jobs as an application in any language submits them: each call is a transaction. */
final class SqlSubmits {
  private static final String ONE =
      """
      select id, duplicate from ebb.submit(?, ?, queue => ?)
      """;

  private static final String MANY =
      """
      select id, duplicate from ebb.submit_many(?::json)
      """;

  private SqlSubmits() {}

  static void one(Database database, NewJob job) throws SQLException {
    database.inAutocommit(connection -> {
      Statements.run(
          connection, ONE, p -> p.text(job.kind()).text(job.payload()).text(job.queue()));
      return job;
    });
  }

  static void many(Database database, List<NewJob> jobs) throws SQLException {
    String array = jobs.stream().map(SqlSubmits::object).collect(Collectors.joining(",", "[", "]"));
    database.inAutocommit(connection -> {
      Statements.run(connection, MANY, p -> p.text(array));
      return array;
    });
  }

  private static String object(NewJob job) {
    String delay = job.delay() == null ? "" : ",\"delay\":\"" + job.delay() + "\"";
    return "{\"kind\":\"%s\",\"queue\":\"%s\",\"payload\":%s%s}"
        .formatted(job.kind(), job.queue(), job.payload(), delay);
  }
}
