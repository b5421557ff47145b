package dev.ebb.db.poll;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.StoredSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The leases of workers that poll: read and renewed by who holds them alone. */
public final class PolledLeases {
  /** Of an attempt whose job names none. */
  public static final Duration USUAL_TIMEOUT = Duration.ofMinutes(1);

  private static final String FIND =
      """
      select
        l.id as lease, l.queue, l.expires_at, l.length_micros,
        j.id, j.kind, j.attempt + 1 as attempt, j.max_attempts, j.priority, j.payload,
        j.labels::text, j.timeout_millis, j.run_at, j.created_at, j.traceparent
      from ebb.lease l
      cross join unnest(l.job_ids, l.versions) with ordinality as named (id, version, place)
      join ebb.job j on j.id = named.id and j.version = named.version
      where l.id = ?
        and l.holder = ?
      order by named.place
      """;

  /**
   * The leases of these ids that are the holder's, locked in the order of every settle, without
   * those that are being settled or rescued.
   */
  static final String FREE =
      """
      select l.id
        from ebb.lease l
        where l.id = any (?)
          and l.holder = ?
        order by l.id
        for update skip locked\
      """;

  // A lease that is being settled is waited for, and one that a stranger keeps locked must not cost
  // the worker all its others.
  private static final String RENEW_FREE =
      """
      select set_config('lock_timeout', '500ms', true);
      with free as materialized (
        %s
      )
      update ebb.lease l
      set
        expires_at = greatest(
          l.expires_at,
          least(
            clock_timestamp(),
            l.claimed_at + coalesce((
              select max(coalesce(nullif(j.timeout_millis, 0), ?))
              from unnest(l.job_ids, l.versions) as named (id, version)
              join ebb.job j on j.id = named.id and j.version = named.version), 0)
              * interval '1 millisecond')
          + l.length_micros * interval '1 microsecond'),
        progress = case
          when ?::jsonb is null then l.progress
          else coalesce(l.progress, '{}') || coalesce((
            select jsonb_object_agg(told.key, told.value)
            from jsonb_each(?::jsonb) told
            where told.key = any (l.job_ids::text[])), '{}')
          end
      from free
      where l.id = free.id
      returning l.id, l.expires_at
      """
          .formatted(FREE);

  private static final String RENEW_PATIENTLY = RENEW_FREE.replace(" skip locked", "");

  private static final String RENEWED =
      """
      select
        l.id,
        array(
          select j.id
          from unnest(l.job_ids, l.versions) as named (id, version)
          join ebb.job j on j.id = named.id and j.version = named.version
          where j.cancel_requested) as cancelled
      from ebb.lease l
      where l.id = any (?)
        and l.holder = ?
      """;

  private final Database database;

  public PolledLeases(Database database) {
    this.database = database;
  }

  /**
   * The lease with its jobs; empty if it has ended, all its jobs are settled, or it is another's.
   */
  public Optional<PolledLease> find(long lease, String holder) throws SQLException {
    List<PolledLease> jobs =
        database.inAutocommit(connection ->
            Statements.list(
                connection, FIND, p -> p.bigint(lease).text(holder), PolledLeases::ofOneJob));
    return jobs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PolledLease(
                lease,
                jobs.getFirst().queue(),
                jobs.getFirst().expiresAt(),
                jobs.getFirst().length(),
                jobs.stream().flatMap(one -> one.jobs().stream()).toList()));
  }

  private static PolledLease ofOneJob(ResultSet row) throws SQLException {
    return new PolledLease(
        row.getLong("lease"),
        row.getString("queue"),
        Rows.instant(row, "expires_at"),
        Duration.of(row.getLong("length_micros"), ChronoUnit.MICROS),
        List.of(job(row)));
  }

  private static PolledJob job(ResultSet row) throws SQLException {
    int timeoutMillis = row.getInt("timeout_millis");
    return new PolledJob(
        row.getObject("id", UUID.class),
        row.getString("kind"),
        row.getInt("attempt"),
        row.getInt("max_attempts"),
        row.getInt("priority"),
        row.getString("payload"),
        StoredSettings.labels(row.getString("labels")),
        timeoutMillis == 0 ? null : Duration.ofMillis(timeoutMillis),
        Rows.instant(row, "run_at"),
        Rows.instant(row, "created_at"),
        row.getString("traceparent"));
  }

  /**
   * Gives the leases their length again, but none lasts longer than that beyond the time at which
   * the attempts of all its jobs must have ended; and writes that the worker lives.
   *
   * @param progress a JSON object of what people are to see, by job; {@code null} for nothing
   */
  public Renewal renew(
      String worker, Collection<Long> leases, String holder, @Nullable String progress)
      throws SQLException {
    return database.inTransaction(connection -> {
      Map<Long, Instant> expiresAt = renewed(connection, leases, holder, progress);
      Set<Long> locked = new HashSet<>();
      List<UUID> cancelled = new ArrayList<>();
      var _ =
          Statements.list(
              connection,
              RENEWED,
              p -> p.leases(leases).text(holder),
              row -> {
                cancelled.addAll(Rows.ids(row, "cancelled"));
                return locked.add(row.getLong("id"));
              });
      locked.removeAll(expiresAt.keySet());
      Boolean draining =
          Statements.first(
              connection,
              Pollers.BEAT,
              p -> p.text(worker).text(holder).text(worker).text(holder),
              row -> row.getBoolean(1));
      return new Renewal(expiresAt, locked, cancelled, Boolean.TRUE.equals(draining));
    });
  }

  private static Map<Long, Instant> renewed(
      Connection connection, Collection<Long> leases, String holder, @Nullable String progress)
      throws SQLException {
    Map<Long, Instant> expiresAt = new LinkedHashMap<>();
    Statements.eachPatiently(
        connection,
        RENEW_PATIENTLY,
        RENEW_FREE,
        p ->
            p.leases(leases)
                .text(holder)
                .integer((int) USUAL_TIMEOUT.toMillis())
                .text(progress)
                .text(progress),
        row -> expiresAt.put(row.getLong("id"), Rows.instant(row, "expires_at")));
    return expiresAt;
  }
}
