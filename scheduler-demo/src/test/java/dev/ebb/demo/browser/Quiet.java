package dev.ebb.demo.browser;

import dev.ebb.app.merchant.Behaviour;
import java.util.List;
import java.util.Map;

/** A cluster that has one of everything, and in which nothing happens by itself. */
final class Quiet {
  static final String QUEUE = "payments";
  static final String SCHEDULE = "nightly";
  static final String DESTINATION = "acme";

  private static final String STORED =
      """
      select md5(concat(
        (select string_agg(t::text, ',' order by t::text) from ebb.job t),
        (select string_agg(t::text, ',' order by t::text) from ebb.dead_letter t),
        (select string_agg(t::text, ',' order by t::text) from ebb.history t),
        (select string_agg(t::text, ',' order by t::text) from ebb.queue t),
        (select string_agg(t::text, ',' order by t::text) from ebb.policy t),
        (select string_agg(t::text, ',' order by t::text) from ebb.schedule t),
        (select string_agg(t::text, ',' order by t::text) from ebb.schedule_fire t),
        (select string_agg(t::text, ',' order by t::text) from ebb.operation t),
        (select string_agg(t::text, ',' order by t::text) from ebb.error_group t),
        (select string_agg(t::text, ',' order by t::text) from ebb.audit t),
        (select string_agg(id || name || coalesce(revoked_at::text, ''), ',' order by id)
         from ebb.token)))
      """;

  private Quiet() {}

  /** Fills the cluster, and answers the id of a job that waits. */
  static String fill(Cluster cluster) {
    cluster.behave(Behaviour.ERROR);
    cluster.change(
        "PUT",
        "/v1/queues/" + QUEUE,
        Map.of(
            "paused",
            false,
            "rateLimit",
            Map.of("permitsPerSecond", 50, "warmUp", "PT10S", "coldFactor", 2)));
    addDestination(cluster);
    cluster.change(
        "PUT",
        "/v1/policies/slow",
        // Half an hour at least: full jitter now and then draws a delay of a second or two.
        Map.of("policy", Map.of("jitter", "equal", "base", "PT1H", "cap", "PT2H")));
    cluster.change(
        "PUT",
        "/v1/schedules/" + SCHEDULE,
        Map.of(
            "cron",
            "30 2 * * *",
            "timeZone",
            "Europe/Berlin",
            "startAt",
            "2098-01-01T00:00:00Z",
            "job",
            Map.of("kind", "report", "payload", Map.of("of", "balances"))));
    cluster.submit(QUEUE, Map.of("maxAttempts", 1));
    String job = cluster.submit(QUEUE, Map.of("policy", "slow"));
    cluster.await("select count(*) = 1 from ebb.dead_letter where error_group is not null");
    cluster.await("select count(*) = 1 from ebb.job where attempt = 1");
    PastFires.add(cluster, SCHEDULE, "1 day");
    String other = cluster.submit(QUEUE, Map.of("delay", "PT5H"));
    Map<String, Object> operation =
        Map.of("action", "set_priority", "ids", List.of(other), "params", Map.of("priority", 1));
    cluster.change("POST", "/v1/operations", operation);
    cluster.await("select count(*) = 1 from ebb.operation where state = 'completed'");
    return job;
  }

  private static void addDestination(Cluster cluster) {
    cluster.change(
        "PUT",
        "/v1/destinations/" + DESTINATION,
        Map.of(
            "url",
            "https://acme.example/notify",
            "success",
            "alipay",
            "headers",
            Map.of("Authorization", "Bearer s3cret"),
            "labels",
            Map.of("merchant", "acme"),
            "maxConcurrency",
            5));
  }

  /** Changes with whatever people can change. */
  static String stored(Cluster cluster) {
    return cluster.value(STORED);
  }
}
