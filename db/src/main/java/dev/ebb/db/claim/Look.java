package dev.ebb.db.claim;

import static java.util.Objects.requireNonNull;

import dev.ebb.core.circuit.Circuit;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueLock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first half of a claim, in one round trip: takes the locks of the queues, and reads their
 * settings, the states of their limiters, and the due jobs that no lease names.
 *
 * <p>Settings and jobs are statements of their own because each has to take its snapshot after the
 * locks.
 */
public final class Look {
  /**
   * Through how many due jobs the scans of a queue go together, claimed ones and those of other
   * kinds among them: so long may a claim hold the lock. The next one goes on from there.
   */
  static final int STRETCH = 20_000;

  private static final String IN_CLAIM_ORDER =
      """
      from ebb.job j
      where j.queue = a.queue
        and j.priority = any (('{0,1,2,3,4,5,6,7,8,9}'::smallint[])[r.low + 1:r.high + 1])
        and (j.run_at, j.id) > (r.run_at, r.id)
        and j.run_at <= statement_timestamp()
      order by j.priority, j.run_at, j.id\
      """;

  // A lease is skipped if none of its jobs can lie behind the cursor.
  //
  // The scans of a queue start where the node's claims ended (see ScanCursor), in the order of the
  // priorities: the outer limits end them as soon as there are enough, before it is asked where
  // their stretch ends.
  private static final String DUE =
      """
      with asked as materialized (
        select
          s.*,
          (
            select l.id
            from ebb.lease l
            where l.queue = s.queue
              and l.id >= s.leases_from
            order by l.queue, l.id
            limit 1
          ) as first_lease,
          (
            select 1 from ebb.job k where k.queue = s.queue and k.ordering_key is not null limit 1
          ) as ordered
        from (
          select
            t.queue,
            greatest(1, least(t.most, q.max_concurrency,
              -- As LimiterView.mostAtOnce; a newer version may store what this one cannot read.
              case when jsonb_typeof(q.rate_limit -> 'permitsPerSecond') = 'number' then
                ceil((q.rate_limit ->> 'permitsPerSecond')::double precision * 2 * %1$s / 1000) + 1
              end,
              case when x.state ->> 'phase' <> 'CLOSED' then 1 end))::integer as most,
            c.lows[t.first:t.last] as lows, c.highs[t.first:t.last] as highs,
            c.run_ats[t.first:t.last] as run_ats, c.ids[t.first:t.last] as ids,
            case when t.read_at <= statement_timestamp() then t.leases_from else 0 end
              as leases_from
          from (
            select
              ?::integer[] as lows, ?::integer[] as highs, ?::timestamptz[] as run_ats,
              ?::uuid[] as ids
          ) c
          cross join unnest(
            ?::text[], ?::integer[], ?::integer[], ?::integer[], ?::bigint[], ?::timestamptz[]
          ) as t (queue, most, first, last, leases_from, read_at)
          left join ebb.queue q on q.name = t.queue
          left join ebb.circuit x on x.queue = t.queue and q.destination is not null
          where t.queue = any (%2$s)
            and (x.held_until > statement_timestamp()) is not true
            and (q.paused and coalesce(q.paused_until > statement_timestamp(), true)) is not true
        ) s
      ), leased as materialized (
        select unnest(l.job_ids) as id, unnest(l.versions) as version
        from asked a
        -- The offset keeps a plan that was made while the table was empty from reading all of it.
        cross join lateral (
          select *
          from ebb.lease l
          where l.queue = a.queue
            and l.id >= a.leases_from
          offset 0
        ) l
        where l.id <> all (?)
          and l.last_run_at >= (
            select min(r.run_at)
            from unnest(a.lows, a.highs, a.run_ats) as r (low, high, run_at)
            where r.low <= l.last_priority and r.high >= l.first_priority)
      ), running as materialized (
        %9$s
      )
      select d.*, statement_timestamp() as now, a.first_lease
      from asked a
      cross join lateral (
        select
          j.id, j.version, null::bigint as lease_id, j.kind, j.priority, j.payload,
          octet_length(j.payload) as payload_bytes, j.attempt, j.max_attempts, j.snoozes,
          j.last_delay_micros, j.timeout_millis, j.cancel_requested, %3$s as budget_from,
          j.policy::text,
          ebb.subject((select s.subject from ebb.settings s), j.labels, j.destination) as subject,
          a.queue,
          (date_part('epoch', statement_timestamp() - j.run_at) * 1000000)::bigint as late_micros,
          j.is_end, j.ordering_key is not null as ordered, j.blocked,
          j.follow_ups is not null as followed
        from unnest(a.lows, a.highs, a.run_ats, a.ids) as r (low, high, run_at, id)
        cross join lateral (
          select j.*, false as is_end, null::uuid[] as blocked
          from (
            select *
            %4$s
            limit %5$s / cardinality(a.lows)
          ) j
          where j.kind = any (?)
            and (j.id, j.version) not in (select id, version from leased)
            and %6$s
          union all
          (
            select *, true, null
            %4$s
            limit 1
            offset %5$s / cardinality(a.lows) - 1
          )
          union all
          select (null::ebb.job).*, true, array_agg(b.id)
          from (
            select j.id
            from (
              select *
              %4$s
              limit %5$s / cardinality(a.lows)
            ) j
            where a.ordered = 1
              and j.ordering_key is not null
              and j.kind = any (?)
              and (j.id, j.version) not in (select id, version from leased)
              and (j.blocks_until <= statement_timestamp()) is not true
              and %7$s is not null
            limit %8$s
          ) b
          having count(*) > 0
          limit a.most + coalesce(a.ordered, 0)
        ) j
        -- The ends and the blocked take no job's place.
        limit a.most + 2 * cardinality(a.lows)
      ) d
      """
          .formatted(
              WarmUpLimiter.BURST_MILLIS,
              QueueLock.TAKEN,
              ClaimedRow.BUDGET_FROM,
              IN_CLAIM_ORDER,
              STRETCH,
              Turn.IS_THERE,
              Turn.BLOCKER,
              Turn.MOST_BLOCKED,
              Turn.RUNNING);

  private static final String LOOK =
      "%s%s;%s".formatted(QueueLock.TAKE_SOME_WITH_SETTINGS, Limiters.LOCKED, DUE);

  private Look() {}

  /** Where the look at a queue begins. */
  record Place(ScanCursor cursor, LeaseFloor leases) {
    static final Place BEGINNING = new Place(new ScanCursor(), LeaseFloor.NONE);
  }

  /** A queue, and which of the scans are its own. */
  private record Asked(String queue, int most, int first, int last, LeaseFloor leases) {}

  /**
   * What a queue has.
   *
   * @param asked for how many jobs the claim asked: no more than its limits can ever let through
   * @param view {@code null} if it has no settings
   * @param due none while it is paused
   */
  record Seen(int asked, Limiters.@Nullable LimiterView view, DueJobs due) {
    /** A claim that wants as many gets no more, whatever its limits are used for. */
    static Seen of(int wanted, Limiters.@Nullable LimiterView view) {
      int most = view == null ? wanted : Math.min(wanted, view.mostAtOnce());
      return new Seen(most, view, new DueJobs());
    }

    /** That of its destination; {@code null} if it has none. */
    @Nullable Circuit circuit() {
      return view == null ? null : view.circuit();
    }

    QueueDefaults defaults() {
      return view == null
          ? new QueueDefaults(StoredSettings.DEFAULT_POLICY, null, null)
          : new QueueDefaults(view.policy(), view.destination(), view.circuit());
    }
  }

  /** Each queue whose lock was free; waits for that of a single one. */
  static Map<String, Seen> at(
      Connection connection, ClaimRequest request, Map<String, Place> from, Patience patience)
      throws SQLException {
    try (PreparedStatement statement = Statements.prepare(connection, LOOK)) {
      bind(Parameters.of(statement), request, from, patience);
      statement.execute();
      String[] taken = taken(Statements.nextResult(statement));
      Map<String, Limiters.LimiterView> views = views(Statements.nextResult(statement));
      Map<String, Seen> seen = new LinkedHashMap<>();
      for (String queue : taken) {
        int asked = request.most().getOrDefault(queue, 0);
        seen.put(queue, Seen.of(asked, views.get(queue)));
      }
      readDue(Statements.nextResult(statement), seen);
      return seen;
    }
  }

  private static void bind(
      Parameters parameters, ClaimRequest request, Map<String, Place> from, Patience patience)
      throws SQLException {
    List<Asked> asked = new ArrayList<>();
    List<ScanCursor.Start> starts = new ArrayList<>();
    List<Long> leasesBefore = new ArrayList<>();
    request
        .most()
        .forEach((queue, most) -> {
          Place place = from.getOrDefault(queue, Place.BEGINNING);
          List<ScanCursor.Start> own = place.cursor.starts();
          int first = starts.size() + 1;
          starts.addAll(own);
          asked.add(new Asked(queue, most, first, starts.size(), place.leases));
          leasesBefore.addAll(place.cursor.leasesBefore());
        });
    parameters
        .text(Patience.setting(patience.lock()))
        .text(Patience.setting(patience.statement()))
        .texts(request.most().keySet())
        .flag(asked.size() == 1)
        .flag(true)
        .columns(asked)
        .text(Asked::queue)
        .bigint(one -> one.leases.id())
        .time(one -> one.leases.readAt());
    parameters
        .columns(starts)
        .ints(ScanCursor.Start::low)
        .ints(ScanCursor.Start::high)
        .text(ScanCursor.Start::runAt)
        .ids(ScanCursor.Start::id);
    parameters
        .columns(asked)
        .text(Asked::queue)
        .ints(Asked::most)
        .ints(Asked::first)
        .ints(Asked::last)
        .bigint(one -> one.leases.id())
        .time(one -> one.leases.readAt());
    parameters.leases(leasesBefore).texts(request.kinds()).texts(request.kinds());
  }

  private static String[] taken(ResultSet rows) throws SQLException {
    rows.next();
    return (String[]) rows.getArray(1).getArray();
  }

  private static Map<String, Limiters.LimiterView> views(ResultSet rows) throws SQLException {
    Map<String, Limiters.LimiterView> views = new HashMap<>();
    while (rows.next()) {
      views.put(rows.getString("name"), Limiters.view(rows));
    }
    return views;
  }

  // Reading a time is expensive: they all have the same.
  private static void readDue(ResultSet rows, Map<String, Seen> seen) throws SQLException {
    Instant now = Instant.EPOCH;
    while (rows.next()) {
      if (rows.isFirst()) {
        now = Rows.instant(rows, "now");
      }
      String queue = rows.getString("queue");
      Seen of = requireNonNull(seen.get(queue));
      if (of.due.lookedAt() == null) {
        of.due.looked(now, rows.getObject("first_lease", Long.class));
      }
      if (rows.getBoolean(19)) {
        ClaimedRow.other(rows, now, of.due);
      } else {
        of.due.add(ClaimedRow.due(rows, queue, of.defaults(), now));
      }
    }
  }
}
