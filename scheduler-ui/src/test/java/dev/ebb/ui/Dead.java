package dev.ebb.ui;

import dev.ebb.db.DeadLetters;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Dead letters of a server, as a worker leaves them. */
final class Dead {
  private static final String GROUPS = "/v1/dead-letters/groups";

  private final UiServer server;

  Dead(UiServer server) {
    this.server = server;
  }

  /** Takes out what there is of jobs, groups and operations. */
  void clear() {
    server.execute(
        """
        truncate ebb.operation, ebb.operation_item, ebb.dead_letter, ebb.job, ebb.attempt,
          ebb.error_group cascade
        """);
  }

  /** So many die with this failure, at this age, such as {@code 2 h}. */
  void die(String queue, String failure, int many, String age) {
    dieOf(null, queue, failure, many, age);
  }

  /** The same of one destination; {@code null} for none. */
  void dieOf(@Nullable String subject, String queue, String failure, int many, String age) {
    DeadLetters.in(queue)
        .kind("http")
        .failure(failure)
        .destination(subject)
        .age(age)
        .store(server.config(), many);
  }

  /** Every dead letter has had an attempt with this record. */
  void attempted(String detail) {
    server.execute(
        """
        insert into ebb.attempt (job_id, started_at, ended_at, number, outcome, failure_reason,
          failure, node, detail)
        select d.id, now(), now(), 3, 'failed', 'http_500', 'no', 'n', '%s'
        from ebb.dead_letter d
        """
            .formatted(detail.replace("'", "''")));
  }

  /** Groups them, as a worker does behind its settles. */
  void group() {
    try (Database database = TestPostgres.open(server.config())) {
      DeadLetters.group(database);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** The largest group, by an open server. */
  JsonNode largest() {
    return server.get(GROUPS).json().at("/items/0");
  }

  /** Where that group's page is. */
  String page() {
    return "/ui/dead/" + largest().path("id").asString();
  }
}
