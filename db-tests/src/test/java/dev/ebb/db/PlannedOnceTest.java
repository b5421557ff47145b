package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The verbs' statements, as the server plans them: to plan one of them takes longer than to run it
 * for a few jobs.
 */
class PlannedOnceTest {
  private static final int TIMES = 40;

  /** The server plans a statement this often before it compares. */
  private static final long FIRST = 5;

  private static final String PLANNED_AGAIN =
      """
      select statement, custom_plans
      from pg_prepared_statements
      where generic_plans + custom_plans >= 20
      """;

  @Test
  void submit_claim_and_settle_of_a_few_jobs_are_not_planned_again_each_time() throws SQLException {
    DatabaseConfig config = TestPostgres.shared().newDatabase().withPoolSize(2);
    try (Bench bench = new Bench(config)) {
      for (int i = 0; i < TIMES; i++) {
        bench.jobs.submit(Collections.nCopies(2 + i % 3, NewJob.of("echo", "{}")));
        bench.submit(
            NewJob.builder("echo", "{}")
                .uniqueKey("k" + i)
                .labels(Map.of("order", "" + i))
                .build());
        bench.completeAll(bench.claim(1));
        bench.fail(bench.claimOne(), new Settlement.Retry(Duration.ofHours(1), failure()));
      }

      Map<String, Long> plans = plans(bench);

      assertThat(plans.keySet())
          .anyMatch(sql -> sql.contains("insert into ebb.job "))
          .anyMatch(sql -> sql.contains("insert into ebb.lease"))
          .anyMatch(sql -> sql.contains("insert into ebb.history"));
      plans.values().removeIf(custom -> custom <= FIRST);
      assertThat(plans.keySet()).as("planned again and again").isEmpty();
    }
  }

  private static dev.ebb.core.job.Failure failure() {
    return Bench.failure("http_500");
  }

  /** How often the sessions of the pool planned each statement for its parameters. */
  private static Map<String, Long> plans(Bench bench) throws SQLException {
    try (Connection one = bench.database.connection();
        Connection other = bench.database.connection()) {
      Map<String, Long> plans = new HashMap<>(plans(one));
      plans.putAll(plans(other));
      return plans;
    }
  }

  private static Map<String, Long> plans(Connection connection) throws SQLException {
    Map<String, Long> plans = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(PLANNED_AGAIN)) {
      while (row.next()) {
        plans.put(row.getString("statement"), row.getLong("custom_plans"));
      }
    }
    return plans;
  }
}
