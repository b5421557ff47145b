package dev.ebb.demo.browser;

import dev.ebb.core.circuit.Ballot;
import dev.ebb.db.connection.Database;
import dev.ebb.db.queue.Circuits;
import dev.ebb.ui.words.Url;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Two hundred destinations as a bad night leaves them: one fails, one is disabled, one asked to
 * wait, one gets worse, one is paused, and one has a name as long as any, two keys and blocked
 * ordering keys. What they are about is named in other scripts, too.
 */
final class Merchants {
  static final String LONG = "marketplace-of-the-northern-and-southern-hemispheres-settlement";
  static final String FAILING = "merchant-017";
  static final String DISABLED = "merchant-042";
  static final String WAITING = "merchant-077";
  static final String WORSE = "merchant-123";

  private static final int MANY = 210;
  private static final String PAUSED = "merchant-150";
  private static final String MERCHANT = "茶馆上海 · مقهى بيروت";

  private Merchants() {}

  /** Fills the cluster, and answers the pages that show it best, by their names. */
  static Map<String, String> fill(Cluster cluster) {
    for (int i = 1; i <= MANY; i++) {
      put(
          cluster,
          String.format(Locale.ROOT, "merchant-%03d", i),
          cluster.merchant() + "/as/ok/orders",
          5);
    }
    put(cluster, LONG, cluster.merchant() + "/as/500/" + "notify/".repeat(60), 5);
    sign(cluster);
    List<String> jobs = block(cluster);
    trouble(cluster);
    attempt(cluster);
    cluster.change("POST", "/v1/queues/" + PAUSED + "/pause", Map.of("reason", "they asked us"));
    return pages(cluster, jobs);
  }

  private static void put(Cluster cluster, String name, String url, int most) {
    cluster.change(
        "PUT",
        "/v1/destinations/" + name,
        Map.of(
            "url",
            url,
            "maxConcurrency",
            most,
            "labels",
            Map.of("merchant", name),
            "headers",
            Map.of("X-Region", "eu", "Authorization", "Bearer s3cret")));
  }

  private static void sign(Cluster cluster) {
    String keys = "/v1/destinations/" + LONG + "/keys";
    cluster.change("POST", keys, Map.of("scheme", "v1"));
    cluster.change("POST", keys, Map.of("scheme", "v1", "share", 25, "wholeIn", "P7D"));
    cluster.change("POST", keys, Map.of("scheme", "wechatpay", "serial", "5".repeat(64)));
  }

  /** A job of each key fails and is due again in an hour; the others wait for it. */
  private static List<String> block(Cluster cluster) {
    List<String> jobs = new ArrayList<>();
    for (String key : List.of("order-4711", "订单-4712", "o".repeat(200))) {
      for (int i = 1; i <= 3; i++) {
        jobs.add(order(cluster, key, i));
      }
    }
    cluster.await(
        """
        select count(*) filter (where attempt = 1) = 3
          and count(*) filter (where blocked_version = version) = 6
        from ebb.job
        where queue = '%s'
        """
            .formatted(LONG));
    return jobs;
  }

  private static String order(Cluster cluster, String key, int number) {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("kind", "http");
    job.put("destination", LONG);
    job.put("orderingKey", key);
    job.put("uniqueKey", key.substring(0, Math.min(key.length(), 190)) + "/" + number);
    job.put("labels", Map.of("merchant", MERCHANT, "order", "4711-" + number));
    job.put("policy", Map.of("jitter", "equal", "base", "PT1H", "cap", "PT2H"));
    job.put("payload", Map.of("body", Map.of("order", "4711", "café", "naïve")));
    Map<String, Object> next =
        Map.of("kind", "http", "queue", LONG, "payload", Map.of("body", Map.of("after", key)));
    job.put("then", Map.of("completed", next, "deadLetter", next));
    return cluster.change("POST", "/v1/jobs", job).field("id");
  }

  private static void trouble(Cluster cluster) {
    Ballot bad = new Ballot(0, 0, 20, 0, 0, Set.of(), "http_503");
    Ballot gone = new Ballot(0, 0, 0, 0, 1, Set.of(), "http_410");
    try (Database database = Database.open(cluster.config())) {
      Circuits circuits = new Circuits(database);
      var _ = circuits.tell(FAILING, bad, Duration.ZERO, 0.5);
      var _ = circuits.tell(DISABLED, gone, Duration.ZERO, 0.5);
      var _ = circuits.tell(WAITING, Ballot.none(0), Duration.ofMinutes(20), 0.5);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Minutes of a day: some quarters without attempts, some bad ones. */
  private static void attempt(Cluster cluster) {
    cluster.execute(
        """
        insert into ebb.stat (at, step, queue, kind, submitted, started, completed, failed, throttled,
          dead, cancelled, redriven, discarded, released, snoozed, wait_micros, run_micros, wait, run)
        select date_trunc('minute', now()) - m * interval '1 minute', 1, d, 'http', 10, 10, 10 - bad,
          bad, 0, 0, 0, 0, 0, 0, 0, 1000, 90000, '{0,0,10}', '{0,0,0,0,0,0,0,0,0,10}'
        from unnest('{%s}'::text[]) with ordinality of (d, n)
        cross join generate_series(2, 1300, 7) m
        cross join lateral (
          select case when m / 60 %% 7 = n %% 5 then 9 when m < 30 then 6 else m %% 2 end as bad) x
        where m / 90 %% 4 > 0
        on conflict do nothing
        """
            .formatted(String.join(",", LONG, FAILING, WORSE, "merchant-001")));
    cluster.execute(
        """
        insert into ebb.subject_stat
        select date_trunc('minute', now()) - m * interval '1 minute', gen_random_uuid(),
          array['%s'], '{50}', case when m = 5 then '{40}' else '{1}' end::integer[]
        from unnest('{5,30,40}'::integer[]) m
        """
            .formatted(WORSE));
  }

  private static Map<String, String> pages(Cluster cluster, List<String> jobs) {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("destinations-many", "/ui/destinations");
    pages.put("destinations-next", "/ui/destinations?cursor=0.0:merchant-100");
    for (String name : List.of(LONG, FAILING, DISABLED, WAITING, WORSE, PAUSED)) {
      pages.put(
          "destination-" + (name.equals(LONG) ? "long" : name),
          "/ui/destinations/" + Url.segment(name));
    }
    pages.put("blocked-keys", "/ui/destinations/" + LONG + "#blocked");
    pages.put("keys-and-circuit", "/ui/destinations/" + LONG + "#address-now");
    pages.put("first-of-key", "/ui/jobs/" + jobs.get(0));
    pages.put("blocked-job", "/ui/jobs/" + jobs.get(1));
    pages.put("blocked-of-long-key", "/ui/jobs/" + jobs.get(7));
    pages.put("blocked-jobs", "/ui/jobs?q=state%3Ablocked");
    pages.put("skip", "/ui/operations/new?action=skip&q=queue%3A" + LONG);
    pages.put(
        "shared",
        cluster.change("POST", "/v1/jobs/" + jobs.get(0) + "/links", Map.of()).field("path"));
    return pages;
  }
}
