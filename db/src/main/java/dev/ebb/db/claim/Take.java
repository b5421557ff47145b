package dev.ebb.db.claim;

import dev.ebb.core.limit.Shortage;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.CircuitRow;
import dev.ebb.db.queue.LimiterRow;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The second half of a claim, in one round trip: writes a lease for each queue, the states of
 * limiters, and what started, and commits.
 */
final class Take {
  private static final String TAKE =
      """
      with taken as (
        insert into ebb.lease (
          queue, node, claimed_at, expires_at, length_micros,
          job_ids, versions, first_priority, last_priority, last_run_at, short_since, short_until,
          holder, request_id)
        select
          t.queue, ?, statement_timestamp(), clock_timestamp() + ? * interval '1 microsecond', ?,
          jobs.ids[t.first:t.last], jobs.versions[t.first:t.last],
          t.first_priority, t.last_priority, t.last_run_at, t.short_since, t.short_until,
          ?, ?
        from (select ?::uuid[] as ids, ?::integer[] as versions) jobs
        cross join unnest(
          ?::text[], ?::integer[], ?::integer[], ?::smallint[], ?::smallint[], ?::timestamptz[],
          ?::timestamptz[], ?::timestamptz[]
        ) as t (
          queue, first, last, first_priority, last_priority, last_run_at, short_since, short_until)
        returning id, queue, claimed_at
      ), limiters as (
      %s
      ), circuits as (
      %s
      ), tallied as (
      %s
      )
      select t.id, t.queue, t.claimed_at
      from (select set_config('synchronous_commit', ?, true)) durability
      left join taken t on true;
      commit
      """
          .formatted(LimiterRow.WRITE, CircuitRow.WRITE, Tally.INSERT + Tally.ROWS);

  private Take() {}

  /** The jobs of a queue, as a part of one array. */
  private record Slice(String queue, Part part, int first) {
    int last() {
      return first + part.jobs().size() - 1;
    }

    short firstPriority() {
      return (short) part.jobs().getFirst().job().priority();
    }

    short lastPriority() {
      return (short) part.jobs().getLast().job().priority();
    }

    Instant lastRunAt() {
      return part.jobs().stream().map(DueJob::runAt).max(Comparator.naturalOrder()).orElseThrow();
    }

    private @Nullable Instant ofShortage(Function<Shortage, Instant> bound) {
      Limiters.LimiterView view = part.seen().view();
      Shortage shortage = view == null ? null : view.shortageUntilNow();
      return shortage == null ? null : bound.apply(shortage);
    }
  }

  /** Commits the parts, and answers the leases by queue. */
  static Map<String, Lease> write(
      Connection connection, ClaimRequest request, Map<String, Part> parts) throws SQLException {
    try (PreparedStatement statement = Statements.prepare(connection, TAKE)) {
      Parameters parameters = Parameters.of(statement);
      bindLeases(parameters, request, parts);
      LimiterRow.bind(
          parameters, parts.values().stream().map(Part::state).filter(Objects::nonNull).toList());
      CircuitRow.bind(
          parameters, parts.values().stream().map(Part::circuit).filter(Objects::nonNull).toList());
      started(parts).bind(parameters);
      var _ = parameters.text(parts.values().stream().anyMatch(Take::mustLast) ? "on" : "off");
      statement.execute();
      return leases(statement.getResultSet(), parts);
    }
  }

  private static Tally started(Map<String, Part> parts) {
    Tally tally = new Tally();
    parts.forEach((queue, part) -> {
      for (DueJob due : part.jobs()) {
        Duration late = Duration.of(due.lateMicros(), ChronoUnit.MICROS);
        tally.add(Counter.STARTED, queue, due.job().kind(), late);
      }
    });
    return tally;
  }

  private static boolean mustLast(Part part) {
    return part.mustLast() && (part.state() != null || !part.jobs().isEmpty());
  }

  private static void bindLeases(
      Parameters parameters, ClaimRequest request, Map<String, Part> parts) throws SQLException {
    List<DueJob> jobs = new ArrayList<>();
    List<Slice> slices = new ArrayList<>();
    parts.forEach((queue, part) -> {
      if (!part.jobs().isEmpty()) {
        slices.add(new Slice(queue, part, jobs.size() + 1));
        jobs.addAll(part.jobs());
      }
    });
    ClaimRequest.Poll poll = request.poll();
    var _ =
        parameters
            .text(request.node())
            .micros(request.lease())
            .micros(request.lease())
            .text(poll == null ? null : poll.holder())
            .text(poll == null ? null : poll.requestId())
            .columns(jobs)
            .ids(due -> due.job().id())
            .ints(DueJob::version);
    var _ =
        parameters
            .columns(slices)
            .text(Slice::queue)
            .ints(Slice::first)
            .ints(Slice::last)
            .smallint(Slice::firstPriority)
            .smallint(Slice::lastPriority)
            .time(Slice::lastRunAt)
            .time(slice -> slice.ofShortage(Shortage::since))
            .time(slice -> slice.ofShortage(Shortage::until));
  }

  private static Map<String, Lease> leases(ResultSet rows, Map<String, Part> parts)
      throws SQLException {
    Map<String, Lease> leases = new HashMap<>();
    while (rows.next()) {
      String queue = rows.getString("queue");
      Part part = queue == null ? null : parts.get(queue);
      if (part != null) {
        leases.put(queue, lease(rows, part));
      }
    }
    return leases;
  }

  private static Lease lease(ResultSet row, Part part) throws SQLException {
    List<DueJob> jobs = part.jobs();
    long id = row.getLong("id");
    return new Lease(
        id,
        Rows.instant(row, "claimed_at"),
        jobs.stream().map(due -> due.claimed(id, part.pass(due))).toList(),
        jobs.stream().map(DueJob::lateMicros).toList());
  }
}
