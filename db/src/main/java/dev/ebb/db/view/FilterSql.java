package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.PayloadSearch;
import dev.ebb.core.query.Phase;
import dev.ebb.core.query.Terms;
import dev.ebb.db.connection.Parameters;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A filter in SQL: what statements over jobs begin with.
 *
 * <pre>
 *   wanted    the filter, one row
 *   scanned   a bounded number of jobs, wherever they are: the newest, or a sample
 *   picked    those of them that the filter lets through
 * </pre>
 */
final class FilterSql {
  /** The filter, the jobs that leases name, its groups; stands behind a {@code with}. */
  static final String WANTED =
      """
      wanted as (
        select
          ?::text[] as phases,
          ?::text[] as queues, ?::text[] as no_queues,
          ?::text[] as kinds, ?::text[] as no_kinds,
          ?::text[]::jsonb[] as labels, ?::text[]::jsonb[] as no_labels,
          ?::text[] as errors, ?::text[] as no_errors, ?::uuid as error_group,
          ?::text[] as words, ?::text[] as no_words,
          ?::text as unique_key, ?::text as ordering_key, ?::text as payload,
          ?::text[] as paths, ?::text[] as path_values,
          ?::integer as least_attempts, ?::integer as most_attempts,
          ?::timestamptz as created_from, ?::timestamptz as created_before,
          ?::bigint as least_age, ?::bigint as most_age,
          ?::timestamptz as ended_from, ?::timestamptz as ended_before,
          ?::bigint as least_ended, ?::bigint as most_ended,
          ?::timestamptz as due_from, ?::timestamptz as due_before,
          ?::bigint as least_due, ?::bigint as most_due,
          ?::text as subject, ?::text as destination,
          (select s.subject from ebb.settings s) as subject_label
      ), running as materialized (
        select l.id, l.version from ebb.leased l
      ), named_groups as materialized (
        select g.id
        from (select ?::uuid as named) a
        join ebb.error_group g on a.named in (g.id, g.error_id, g.subject_id, g.queue_id)
      )
      """;

  /** What a scan takes of a live job {@code j}. */
  static final String LIVE =
      """
      select
        j.id, j.queue, j.kind, j.created_at, j.run_at, j.attempt, j.unique_key, j.ordering_key,
        j.labels,
        (j.id, j.version) in (select id, version from running) as runs,
        ebb.is_held(j.held_version, j.version, j.held_until) as held,
        j.blocked_version is not distinct from j.version as behind,
        null as ended, null::timestamptz as ended_at, null as failure,
        case when ? then j.payload end as payload,
        null::uuid as error_group, j.destination
      """;

  /** The same of a dead letter {@code d}. */
  static final String DEAD =
      """
      select
        d.id, d.queue, d.kind, d.created_at, d.run_at, d.attempt, d.unique_key, d.ordering_key,
        d.labels, false, false, false, 'dead_letter', d.died_at,
        case when ? then concat_ws(' ', d.failure_reason, d.failure) end,
        case when ? then d.payload end, d.error_group, d.destination
      """;

  /** The same of a job {@code h} of the history. */
  static final String ENDED =
      """
      select
        h.id, h.queue, h.kind, h.created_at, h.run_at, h.attempt, h.unique_key, h.ordering_key,
        h.labels, false, false, false,
        case when h.cancelled then 'cancelled' else 'completed' end, h.ended_at, null,
        null, null, h.destination
      """;

  /**
   * The scanned jobs that the filter lets through, the first of them in an order, which is the
   * format's argument. Labels, attempts and payloads are looked at only where the filter asks for
   * them.
   */
  static final String PICKED =
      """
      , picked as materialized (
        select s.id, t.phase
        from scanned s
        cross join wanted w
        cross join lateral (
          select case
            when s.ended is not null then s.ended
            when s.runs then 'running'
            when s.held and s.behind then 'blocked'
            when s.held then 'held'
            when s.run_at <= now() then 'due'
            when s.attempt = 0 then 'scheduled'
            else 'retrying'
          end as phase
        ) t
        where t.phase = any (w.phases)
          and (cardinality(w.queues) = 0 or s.queue = any (w.queues))
          and s.queue <> all (w.no_queues)
          and (cardinality(w.kinds) = 0 or s.kind = any (w.kinds))
          and s.kind <> all (w.no_kinds)
          and (w.error_group is null or s.error_group in (select id from named_groups))
          and coalesce(s.labels, '{}') @> all (w.labels)
          and not coalesce(s.labels, '{}') @> any (w.no_labels)
          and (w.unique_key is null or s.unique_key = w.unique_key)
          and (w.ordering_key is null or s.ordering_key = w.ordering_key)
          and (w.destination is null or s.destination = w.destination)
          and (w.subject is null
            or ebb.subject(w.subject_label, s.labels, s.destination) = w.subject)
          and s.attempt + s.runs::integer between w.least_attempts and w.most_attempts
          and (w.created_from is null or s.created_at >= w.created_from)
          and (w.created_before is null or s.created_at < w.created_before)
          and (w.least_age is null
            or s.created_at <= now() - w.least_age * interval '1 microsecond')
          and (w.most_age is null
            or s.created_at >= now() - w.most_age * interval '1 microsecond')
          and (w.ended_from is null or s.ended_at >= w.ended_from)
          and (w.ended_before is null or s.ended_at < w.ended_before)
          and (w.least_ended is null
            or s.ended_at <= now() - w.least_ended * interval '1 microsecond')
          and (w.most_ended is null
            or s.ended_at >= now() - w.most_ended * interval '1 microsecond')
          and (w.due_from is null or s.run_at >= w.due_from)
          and (w.due_before is null or s.run_at < w.due_before)
          and (w.least_due is null
            or s.run_at <= now() - w.least_due * interval '1 microsecond')
          and (w.most_due is null
            or s.run_at >= now() - w.most_due * interval '1 microsecond')
          and (cardinality(w.words) + cardinality(w.no_words) = 0
            or (
              select shown.text ilike all (w.words) and not shown.text ilike any (w.no_words)
              from (
                select concat_ws(
                  chr(10), s.id, s.queue, s.kind, s.unique_key,
                  (select string_agg(l.value, chr(10)) from jsonb_each_text(s.labels) l)) as text
              ) shown
            ))
          and (cardinality(w.errors) + cardinality(w.no_errors) = 0
            or (
              select last.text ilike all (w.errors) and not last.text ilike any (w.no_errors)
              from (
                select coalesce(
                  s.failure,
                  case when s.ended is null and s.attempt > 0 then (
                    select concat_ws(' ', a.failure_reason, a.failure)
                    from ebb.every_attempt a
                    where a.job_id = s.id and a.failure_reason is not null
                    order by a.ended_at desc
                    limit 1
                  ) end,
                  '') as text
              ) last
            ))
          -- The URL and the headers of a delivery may hold secrets.
          and (w.payload is null
            or position(w.payload in case
              when s.kind <> 'http' then s.payload
              when ebb.is_jsonb(s.payload) then s.payload::json ->> 'body'
            end) > 0)
          and (cardinality(w.paths) = 0
            or ebb.has_fields(s.payload, s.kind, w.paths, w.path_values))
        order by s.id %s
        limit ?
      )
      """;

  private static final JsonMapper JSON = JsonMapper.shared();

  private FilterSql() {}

  /** Whether the filter looks at attempts or payloads: the row of a dead letter has its error. */
  static boolean isDear(JobFilter filter) {
    return filter.payload() != null || (asksForErrors(filter) && wantsLive(filter));
  }

  private static boolean asksForErrors(JobFilter filter) {
    return !filter.errors().wanted().isEmpty() || !filter.errors().unwanted().isEmpty();
  }

  /** What is taken of dead letters for the filter. */
  static void bindDead(Parameters parameters, JobFilter filter) throws SQLException {
    parameters.flag(asksForErrors(filter)).flag(filter.payload() != null);
  }

  static void bindWanted(Parameters parameters, JobFilter filter) throws SQLException {
    parameters.texts(filter.phases().stream().map(Phase::word).toList());
    bind(parameters, filter.queues());
    bind(parameters, filter.kinds());
    parameters.texts(objects(filter.labels().wanted()));
    parameters.texts(objects(filter.labels().unwanted()));
    parameters.texts(patterns(filter.errors().wanted()));
    parameters.texts(patterns(filter.errors().unwanted())).idOrNull(filter.group());
    parameters.texts(patterns(filter.words().wanted()));
    parameters.texts(patterns(filter.words().unwanted()));
    parameters.text(filter.uniqueKey()).text(filter.orderingKey());
    bind(parameters, filter.payload());
    parameters.integer(filter.attempts().least()).integer(filter.attempts().most());
    bind(parameters, filter.created());
    bind(parameters, filter.ended());
    bind(parameters, filter.due());
    parameters.text(filter.subject()).text(filter.destination());
    parameters.idOrNull(filter.group());
  }

  private static void bind(Parameters parameters, Terms terms) throws SQLException {
    parameters.texts(terms.wanted()).texts(terms.unwanted());
  }

  private static void bind(Parameters parameters, @Nullable PayloadSearch payload)
      throws SQLException {
    if (payload == null) {
      parameters.text(null).texts(List.of()).texts(List.of());
    } else {
      parameters.text(payload.text());
      parameters.texts(payload.fields().keySet()).texts(payload.fields().values());
    }
  }

  private static void bind(Parameters parameters, JobFilter.Period period) throws SQLException {
    parameters.time(period.from()).time(period.before());
    parameters.microsOrNull(period.leastAge()).microsOrNull(period.mostAge());
  }

  /** Each {@code name=value} as an object. */
  private static List<String> objects(Collection<String> labels) {
    return labels.stream()
        .map(label -> label.split("=", 2))
        .map(pair -> JSON.writeValueAsString(Collections.singletonMap(pair[0], pair[1])))
        .toList();
  }

  /** Patterns of {@code like} for what holds the texts. */
  private static List<String> patterns(Collection<String> texts) {
    return texts.stream().map(text -> '%' + text.replaceAll("([\\\\%_])", "\\\\$1") + '%').toList();
  }

  static boolean wantsLive(JobFilter filter) {
    return wants(filter, EnumSet.range(Phase.DUE, Phase.RUNNING))
        && filter.group() == null
        && filter.ended().isAny();
  }

  static boolean wantsDead(JobFilter filter) {
    return wants(filter, Set.of(Phase.DEAD_LETTER));
  }

  /** What is in the history has neither a payload nor an error, nor is it in a group. */
  static boolean wantsEnded(JobFilter filter) {
    return wants(filter, Set.of(Phase.COMPLETED, Phase.CANCELLED))
        && filter.payload() == null
        && filter.group() == null
        && filter.errors().wanted().isEmpty();
  }

  private static boolean wants(JobFilter filter, Set<Phase> phases) {
    return !Collections.disjoint(filter.phases(), phases);
  }
}
