package dev.ebb.demo.browser;

import dev.ebb.db.HostileTexts;
import dev.ebb.ui.words.Search;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cluster in which every hostile text stands in every field that is stored as it came. */
final class Hostile {
  /** What handlers write down of a request and an answer, made of nothing but the text. */
  private static final String EXCHANGE =
      """
      (select json_build_object('request', same, 'response', same)::text from (
         select json_build_object('url', t, 'method', t, 'status', t, 'body', t, 'headers',
           json_build_array(json_build_object('name', t, 'value', t))) as same) as half)
      """;

  private static final List<String> ROWS =
      List.of(
          """
          insert into ebb.attempt (
            job_id, started_at, ended_at, number, outcome, failure_reason, failure, node, detail)
          select j.id, now(), now(), n, 'failed', t, t, t,
            case n when 1 then %s else json_build_object(t, t)::text end
          from public.hostile join ebb.job j on j.unique_key = t cross join generate_series(1, 2) n
          where j.queue like 'waiting-%%'
          """
              .formatted(EXCHANGE),
          "update ebb.job set attempt = 2 where queue like 'waiting-%'",
          """
          insert into ebb.lease (queue, node, claimed_at, expires_at, length_micros, job_ids,
            versions, first_priority, last_priority, last_run_at, progress)
          select queue, t, now(), now() + interval '1 hour', 3600000000, array[j.id],
            array[version], priority, priority, run_at,
            jsonb_build_object(j.id, jsonb_build_object(t, t))
          from public.hostile join ebb.job j on j.unique_key = 'running ' || t
          """,
          """
          insert into ebb.history (id, run_at, created_at, started_at, attempt, max_attempts,
            priority, cancelled, queue, kind, node, unique_key, labels, detail)
          select uuidv7(), now(), now(), now(), 1, 1, 5, false, 'ended', 'report', t, t,
            jsonb_build_object('merchant', t), %s
          from public.hostile
          """
              .formatted(EXCHANGE),
          """
          with dead as (
            insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node,
              run_at, created_at, died_at, version, attempt, max_attempts, priority, queue, kind,
              payload, unique_key, labels)
            select uuidv7(), 'attempts_exhausted', t, t, now(), t, now(), now(), now(), 1, 3, 3, 5,
              'dead-' || i, 'report', to_json(t), t, jsonb_build_object('merchant', t)
            from public.hostile
            returning id, unique_key as t)
          insert into ebb.attempt (
            job_id, started_at, ended_at, number, outcome, failure_reason, failure, node, detail)
          select id, now(), now(), 3, 'failed', t, t, t, %s from dead
          """
              .formatted(EXCHANGE),
          """
          insert into ebb.operation (action, filter, warm_up, stages, matched, matched_exact, actor,
            token_id, address, reason, state, state_reason, ended_at)
          select 'hold', q, false, '{}', 1, true, t, t, t, t, 'cancelled', t, now() from public.hostile
          """,
          """
          insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency)
          select t, t, t, array[t], array[t], 1 from public.hostile
          """,
          """
          insert into ebb.audit (actor, token_id, address, reason, action, subject, affected)
          select t, t, t, t, t, t, 1 from public.hostile
          """,
          """
          insert into ebb.schedule_fire (schedule, fire_at, result, node, error)
          select 'schedule-' || i, now(), 'refused', t, t from public.hostile
          """,
          """
          update ebb.schedule s set paused_by = t
          from public.hostile where s.name = 'schedule-' || i
          """,
          """
          insert into ebb.token (id, name, hash, scopes, created_by)
          select 'ebb_' || i, t, 'none', '{jobs:read}', t from public.hostile
          """);

  private static final String KNOWN =
      """
      update ebb.error_group g set acknowledged_at = now(), acknowledged_by = t, note = t
      from public.hostile where g.queue = 'dead-' || i
      """;

  private Hostile() {}

  static void fill(Cluster cluster) {
    List<String> texts = HostileTexts.all();
    cluster.execute("create table public.hostile (i text, t text, q text)");
    cluster.execute(
        IntStream.range(0, texts.size())
            .mapToObj(i ->
                "('%s', %s, %s)"
                    .formatted(i, quoted(texts.get(i)), quoted(Search.token("key", texts.get(i)))))
            .collect(Collectors.joining(", ", "insert into public.hostile values ", "")));
    for (int i = 0; i < texts.size(); i++) {
      submit(cluster, i, texts.get(i));
    }
    for (String row : ROWS) {
      cluster.execute(row);
    }
    cluster.await("select count(*) = 60 from ebb.dead_letter where error_group is not null");
    cluster.execute(KNOWN);
  }

  private static void submit(Cluster cluster, int i, String text) {
    Map<String, String> reason = Map.of("reason", text);
    cluster.change("POST", "/v1/queues/waiting-" + i + "/pause", reason);
    cluster.execute(
        "update ebb.queue set paused_by = %s where name = 'waiting-%s'".formatted(quoted(text), i));
    cluster.change("POST", "/v1/queues/running-" + i + "/pause", reason);
    schedule(cluster, i, text);
    String id =
        submit(
            cluster,
            Map.of(
                "queue",
                "waiting-" + i,
                "uniqueKey",
                text,
                "labels",
                Map.of("merchant", text),
                "payload",
                Map.of(text, List.of(text)),
                "delay",
                "PT1H"));
    cluster.change("POST", "/v1/jobs/" + id + "/hold", reason);
    submit(
        cluster, Map.of("queue", "running-" + i, "uniqueKey", "running " + text, "payload", text));
  }

  private static void schedule(Cluster cluster, int i, String text) {
    String path = "/v1/schedules/schedule-" + i;
    Map<String, Object> job =
        Map.of(
            "kind",
            "report",
            "labels",
            Map.of("merchant", text),
            "payload",
            Map.of(text, List.of(text)));
    cluster.change("PUT", path, Map.of("every", "P300D", "job", job));
    cluster.change("POST", path + "/pause", Map.of("reason", text));
  }

  private static String submit(Cluster cluster, Map<String, Object> job) {
    Map<String, Object> report = new HashMap<>(job);
    report.put("kind", "report");
    return cluster.change("POST", "/v1/jobs", report).field("id");
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
