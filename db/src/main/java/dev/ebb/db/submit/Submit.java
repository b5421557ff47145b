package dev.ebb.db.submit;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.json.FollowUpsJson;
import dev.ebb.db.json.PayloadJson;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The verb submit: any number of new jobs in one statement, duplicates left out. */
public final class Submit {
  static final int MAX_JOBS = 1000;

  private static final int MAX_TRIES = 10;
  private static final String SERIALIZATION_FAILURE = "40001";

  /** Jobs out of arrays; a condition on the rows {@code i} may follow. */
  // Arrays that the planner cannot see into: it would plan each batch anew, for as many rows as the
  // batch has, and that takes longer than to store a few.
  static final String INSERT =
      """
      insert into ebb.job (
        id, queue, kind, priority,
        run_at,
        max_attempts,
        policy, unique_key, timeout_millis,
        ordering_key, ordering_number,
        labels,
        payload_labels,
        destination, payload, follow_ups, traceparent)
      with given as materialized (
        select ?::text[] as queues, ?::text[] as kinds, ?::uuid[] as ids
      ), setting as materialized (
        select q.max_attempts, q.labels_from as of_queue, k.labels_from as of_kind
        from given g
        cross join lateral (
          select
            jsonb_object_agg(q.name, q.policy -> 'maxAttempts') as max_attempts,
            jsonb_object_agg(q.name, q.labels_from) as labels_from
          from ebb.queue q
          where q.name = any (g.queues) and num_nonnulls(q.policy, q.labels_from) > 0
        ) q
        cross join lateral (
          select jsonb_object_agg(k.name, k.labels_from) as labels_from
          from ebb.kind k
          where k.name = any (g.kinds)
        ) k
      )
      select
        i.id, i.queue, i.kind, i.priority,
        coalesce(
          i.run_at::timestamptz, now() + i.delay_micros * interval '1 microsecond', now()),
        coalesce(i.max_attempts, (s.max_attempts ->> i.queue)::integer, ?),
        i.policy::jsonb, i.unique_key, i.timeout_millis,
        i.ordering_key, i.ordering_number,
        case when t.taken is null then i.labels else t.taken || coalesce(i.labels, '{}') end,
        case when t.taken is not null then array(select jsonb_object_keys(t.taken)) end,
        i.destination, i.payload, i.follow_ups::jsonb, i.traceparent
      from setting s
      cross join (
        -- The numbers are drawn in the order of the arrays, whatever the order of the insert.
        select
          a.*,
          case
            when a.ordering_key is not null then nextval('ebb.ordering_number')
          end as ordering_number
        from (
          select
            unnest((select g.ids from given g)) as id,
            unnest(?::text[]) as queue,
            unnest(?::text[]) as kind,
            unnest(?::smallint[]) as priority,
            unnest(?::text[]) as run_at,
            unnest(?::bigint[]) as delay_micros,
            unnest(?::integer[]) as max_attempts,
            unnest(?::text[]) as policy,
            unnest(?::text[]) as unique_key,
            unnest(?::text[]) as ordering_key,
            unnest(?::integer[]) as timeout_millis,
            unnest(?::text[])::jsonb as labels,
            unnest(?::text[]) as destination,
            unnest(?::text[]) as payload,
            unnest(?::text[]) as follow_ups,
            unnest(?::text[]) as traceparent
        ) a
      ) i
      -- A queue's pointer counts before its kind's for the same name.
      cross join lateral (
        select
          nullif(s.of_queue -> i.queue, 'null') as of_queue, s.of_kind -> i.kind as of_kind
      ) o
      -- Behind the offset it is asked once for each job.
      cross join lateral (
        select
          case when num_nonnulls(o.of_queue, o.of_kind) > 0
            then ebb.labels_from(
              coalesce(o.of_kind || o.of_queue, o.of_queue, o.of_kind),
              i.payload,
              coalesce(i.labels, '{}'))
          end as taken
        offset 0
      ) t
      """;

  // It stores all jobs or none, so what it counts is known before.
  private static final String INSERT_PLAIN =
      """
      with tallied as (
        %s
        %s
      )
      """
              .formatted(Tally.INSERT, Tally.ROWS)
          + INSERT
          + """
          returning id, run_at, created_at, max_attempts
          """;

  // A row that may conflict costs a second record in the log: only a batch with unique keys pays
  // it. In the order of the keys: two batches that share some wait for each other, and do not
  // deadlock.
  private static final String INSERT_UNIQUE =
      "with stored as (\n"
          + INSERT
          + """
          order by i.kind collate "C", i.unique_key collate "C", i.id
          on conflict (kind, unique_key) where unique_key is not null do nothing
          """
          + """
            returning id, run_at, created_at, max_attempts, queue, kind
          ), tallied as (
          %s
          )
          select id, run_at, created_at, max_attempts from stored
          """
              .formatted(Tally.of(Counter.SUBMITTED, "stored"));

  private static final String HOLDERS =
      """
      select
        (select j.id from ebb.job j where j.kind = i.kind and j.unique_key = i.unique_key) as id
      from unnest(?::text[], ?::text[]) with ordinality as i (kind, unique_key, place)
      order by i.place
      """;

  private Submit() {}

  /** To be called before any statement: one that failed would abort the caller's transaction. */
  public static void check(List<NewJob> jobs) {
    require(jobs.size() <= MAX_JOBS, "jobs", "must be at most " + MAX_JOBS);
    jobs.forEach(job -> PayloadJson.check(job.payload()));
  }

  /** Stores the jobs in one transaction; the answers stand in their order. */
  public static List<Submitted> submit(Database database, List<NewJob> jobs) throws SQLException {
    check(jobs);
    if (isUnique(jobs)) {
      return database.inTransaction(connection -> store(connection, jobs));
    }
    return database.inAutocommit(connection -> store(connection, jobs));
  }

  /** Whether some of the jobs may turn out to be duplicates. */
  static boolean isUnique(List<NewJob> jobs) {
    return jobs.stream().anyMatch(job -> job.uniqueKey() != null);
  }

  /**
   * Stores jobs that were checked; the answers stand in their order. It is one statement unless
   * some are unique.
   */
  public static List<Submitted> store(Connection connection, List<NewJob> jobs)
      throws SQLException {
    return store(connection, jobs, JobIds.next(jobs.size()));
  }

  /** The same under these ids, one for each job. */
  static List<Submitted> store(Connection connection, List<NewJob> jobs, UUID[] ids)
      throws SQLException {
    SequencedMap<UUID, NewJob> byId = new LinkedHashMap<>();
    for (int i = 0; i < ids.length; i++) {
      byId.put(ids[i], jobs.get(i));
    }
    return store(connection, byId, 1);
  }

  private static List<Submitted> store(
      Connection connection, SequencedMap<UUID, NewJob> jobs, int tries) throws SQLException {
    if (jobs.isEmpty()) {
      return List.of();
    }
    UUID[] ids = jobs.keySet().toArray(UUID[]::new);
    Map<UUID, Submitted> stored = insert(connection, List.copyOf(jobs.values()), ids);
    SequencedMap<UUID, NewJob> duplicates = new LinkedHashMap<>(jobs);
    duplicates.keySet().removeAll(stored.keySet());
    Iterator<Submitted> others = duplicates(connection, duplicates, tries).iterator();
    List<Submitted> answers = new ArrayList<>(ids.length);
    for (UUID id : ids) {
      Submitted own = stored.get(id);
      answers.add(own == null ? others.next() : own);
    }
    return answers;
  }

  private static Map<UUID, Submitted> insert(Connection connection, List<NewJob> jobs, UUID[] ids)
      throws SQLException {
    boolean unique = isUnique(jobs);
    String sql = unique ? INSERT_UNIQUE : INSERT_PLAIN;
    Map<UUID, Submitted> stored = HashMap.newHashMap(ids.length);
    for (Submitted one :
        Statements.list(connection, sql, p -> bind(p, unique, jobs, ids), Submit::submitted)) {
      stored.put(one.id(), one);
    }
    return stored;
  }

  private static void bind(Parameters parameters, boolean unique, List<NewJob> jobs, UUID[] ids)
      throws SQLException {
    if (!unique) {
      bindTally(parameters, jobs);
    }
    bind(parameters, jobs, ids);
  }

  /** Gives a statement that stores all of the jobs, or none, what it counts of them. */
  static void bindTally(Parameters parameters, List<NewJob> jobs) throws SQLException {
    Tally tally = new Tally();
    jobs.forEach(job -> tally.add(Counter.SUBMITTED, job.queue(), job.kind()));
    tally.bind(parameters);
  }

  static Submitted submitted(ResultSet row) throws SQLException {
    Submitted.Stored stored =
        new Submitted.Stored(
            Rows.instant(row, "run_at"),
            Rows.instant(row, "created_at"),
            row.getInt("max_attempts"));
    return new Submitted(row.getObject("id", UUID.class), stored);
  }

  static void bind(Parameters parameters, List<NewJob> jobs, UUID[] ids) throws SQLException {
    parameters
        .texts(jobs.stream().map(NewJob::queue).distinct().toList())
        .texts(jobs.stream().map(NewJob::kind).distinct().toList())
        .ids(List.of(ids))
        .integer(StoredSettings.DEFAULT_POLICY.maxAttempts());
    var _ =
        parameters
            .columns(jobs)
            .text(NewJob::queue)
            .text(NewJob::kind)
            .smallint(job -> (short) job.priority())
            .text(job -> job.runAt() == null ? null : job.runAt().toString())
            .bigint(job -> job.delay() == null ? null : Rows.micros(job.delay()))
            .integer(Submit::maxAttempts)
            .text(job -> job.policy() == null ? null : PolicyJson.write(job.policy()).toString())
            .text(NewJob::uniqueKey)
            .text(NewJob::orderingKey)
            .integer(job -> job.timeout() == null ? null : (int) job.timeout().toMillis())
            .text(job -> StoredSettings.text(job.labels()))
            .text(DeliveryJson::destination)
            .text(NewJob::payload)
            .text(job -> job.then() == null ? null : FollowUpsJson.write(job.then()).toString())
            .text(NewJob::traceparent);
  }

  /** {@code null} if its queue decides. */
  private static @Nullable Integer maxAttempts(NewJob job) {
    return job.maxAttempts() == null && job.policy() != null
        ? Integer.valueOf(job.policy().maxAttempts())
        : job.maxAttempts();
  }

  /**
   * The jobs that hold the keys; if one of them ended meanwhile, its key is free, and the new job
   * is tried again.
   */
  private static List<Submitted> duplicates(
      Connection connection, SequencedMap<UUID, NewJob> jobs, int tries) throws SQLException {
    if (jobs.isEmpty()) {
      return List.of();
    }
    List<@Nullable UUID> holders = holders(connection, List.copyOf(jobs.values()));
    SequencedMap<UUID, NewJob> free = free(jobs, holders.iterator());
    if (!free.isEmpty() && tries == MAX_TRIES) {
      String key = free.firstEntry().getValue().uniqueKey();
      throw new SQLException(
          "the holder of unique key " + key + " is not visible here", SERIALIZATION_FAILURE);
    }
    Iterator<Submitted> again = store(connection, free, tries + 1).iterator();
    return holders.stream()
        .map(found -> found == null ? again.next() : Submitted.duplicateOf(found))
        .toList();
  }

  private static SequencedMap<UUID, NewJob> free(
      Map<UUID, NewJob> jobs, Iterator<@Nullable UUID> holders) {
    SequencedMap<UUID, NewJob> free = new LinkedHashMap<>();
    jobs.forEach((id, job) -> {
      if (holders.next() == null) {
        free.put(id, job);
      }
    });
    return free;
  }

  private static List<@Nullable UUID> holders(Connection connection, List<NewJob> jobs)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(HOLDERS)) {
      Parameters.of(statement).columns(jobs).text(NewJob::kind).text(NewJob::uniqueKey);
      List<@Nullable UUID> holders = new ArrayList<>(jobs.size());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          holders.add(rows.getObject(1, UUID.class));
        }
      }
      return holders;
    }
  }
}
