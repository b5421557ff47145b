package dev.ebb.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the forecast says of the next minute is what then starts, attempt by attempt. */
@Proof
class ForecastComesTrueTest {
  /** Of the jobs, those that start before the gap. */
  private static final int IN_THE_MINUTE = 47;

  /** Of each attempt some that start within the minute, and some later; none near its end. */
  private static final String JOBS =
      """
      insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
      select now() + i * interval '1 second', i %% 3, 9, 5, '%s', 'http',
        '{"url": "%s/orders", "body": {"order": 1}}'
      from generate_series(10, 110) i
      where i not between 57 and 65
      """;

  private static String told(JsonNode minute) {
    List<String> attempts =
        minute.path("byAttempt").properties().stream()
            .map(one -> one.getKey() + ":" + one.getValue().asLong())
            .sorted()
            .toList();
    return String.join(" ", attempts);
  }

  @Test
  void the_forecast_of_a_minute_equals_the_starts_that_then_happen() throws Exception {
    try (Cluster cluster = Cluster.started()) {
      Judged.holds("the forecast", cluster.config(), number -> missed(cluster, number));
    }
  }

  /** The control is a queue beside it, in which somebody takes a job away. */
  private static Optional<AssertionError> missed(Cluster cluster, int number) throws Exception {
    String queue = "foretold" + number;
    String disturbed = "disturbed" + number;
    cluster.execute(JOBS.formatted(queue, cluster.merchant()));
    cluster.execute(JOBS.formatted(disturbed, cluster.merchant()));
    JsonNode minute = nextMinute(cluster, queue);
    JsonNode other = nextMinute(cluster, disturbed);
    cluster.change("POST", "/v1/jobs/" + first(cluster, disturbed) + "/cancel", Map.of());
    Instant to = Instant.parse(other.path("at").asString()).plusSeconds(60);
    cluster.await("select now() > timestamptz '%s' - interval '30 seconds'".formatted(to));
    cluster.await("select now() > timestamptz '%s' + interval '3 seconds'".formatted(to));

    assertThat(minute.path("jobs").asLong()).isEqualTo(IN_THE_MINUTE);
    assertThat(started(cluster, disturbed, other)).isNotEqualTo(told(other));
    return Judged.missed(() -> assertThat(started(cluster, queue, minute)).isEqualTo(told(minute)));
  }

  private static JsonNode nextMinute(Cluster cluster, String queue) {
    return cluster.get("/v1/stats/forecast?queue=" + queue).path("minutes").path(0);
  }

  private static String first(Cluster cluster, String queue) {
    return cluster.value(
        "select id from ebb.job where queue = '%s' order by run_at limit 1".formatted(queue));
  }

  private static String started(Cluster cluster, String queue, JsonNode minute) {
    Instant from = Instant.parse(minute.path("at").asString());
    return cluster.value(
        """
        select coalesce(string_agg(attempt || ':' || jobs, ' ' order by attempt), '') from (
          select attempt, count(*) as jobs
          from ebb.history
          where queue = '%s' and started_at >= '%s' and started_at < '%s'
          group by attempt) counted
        """
            .formatted(queue, from, from.plusSeconds(60)));
  }
}
