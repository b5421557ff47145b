package dev.ebb.db.schedule;

import dev.ebb.core.schedule.Overlap;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a schedule stands while a transaction has the lock of its row.
 *
 * @param now by the database's clock, once it was locked
 * @param lastJob the job of the last fire that had one
 * @param waiting how many fires wait for its end
 */
record LockedSchedule(
    String name,
    long version,
    Instant createdAt,
    boolean paused,
    Instant now,
    @Nullable Instant nextFireAt,
    @Nullable UUID lastJob,
    int waiting) {
  // In the order of names: two nodes wait for each other, and do not deadlock.
  private static final String LOCK =
      """
      select
        s.name, s.version, s.created_at, s.paused_since is not null as paused, s.next_fire_at,
        s.last_job, s.waiting, clock_timestamp() as now
      from ebb.schedule s
      where s.name = any (?)
      order by s.name
      for no key update
      """;

  // A statement of its own: the one that waited for a lock does not see the job that was stored
  // meanwhile.
  private static final String LIVE =
      """
      select j.id
      from ebb.job j
      where j.id = any (?)
      """;

  private static final String ADVANCE =
      """
      update ebb.schedule s
      set
        next_fire_at = case
          when i.ended or s.next_fire_at is null then null
          else greatest(s.next_fire_at, i.next_fire_at)
        end,
        last_job = coalesce(i.last_job, s.last_job),
        waiting = s.waiting + i.waiting
      from (
        select
          unnest(?::text[]) as name,
          unnest(?::bigint[]) as version,
          unnest(?::integer[]) = 1 as ended,
          unnest(?::timestamptz[]) as next_fire_at,
          unnest(?::uuid[]) as last_job,
          unnest(?::integer[]) as waiting
      ) i
      where s.name = i.name and s.version = i.version
      """;

  /** Locks the rows of those that are there, until the transaction ends. */
  static Map<String, LockedSchedule> lock(Connection connection, Collection<String> names)
      throws SQLException {
    Map<String, LockedSchedule> standings = new LinkedHashMap<>();
    for (LockedSchedule one :
        Statements.list(connection, LOCK, p -> p.texts(names), LockedSchedule::read)) {
      standings.put(one.name, one);
    }
    return standings;
  }

  /** That of a schedule whose row this transaction has locked. */
  static LockedSchedule of(Connection connection, String name) throws SQLException {
    return Statements.one(connection, LOCK, p -> p.texts(List.of(name)), LockedSchedule::read);
  }

  private static LockedSchedule read(ResultSet row) throws SQLException {
    return new LockedSchedule(
        row.getString("name"),
        row.getLong("version"),
        Rows.instant(row, "created_at"),
        row.getBoolean("paused"),
        Rows.instant(row, "now"),
        Rows.instantOrNull(row, "next_fire_at"),
        row.getObject("last_job", UUID.class),
        row.getInt("waiting"));
  }

  /** Those of their last jobs that have not ended; to be asked under the locks. */
  static Set<UUID> liveJobs(Connection connection, Collection<LockedSchedule> standings)
      throws SQLException {
    List<UUID> last =
        standings.stream()
            .map(LockedSchedule::lastJob)
            .filter(Objects::nonNull)
            .distinct()
            .toList();
    return last.isEmpty()
        ? Set.of()
        : new HashSet<>(
            Statements.list(
                connection, LIVE, p -> p.ids(last), row -> row.getObject("id", UUID.class)));
  }

  /** Whether its last job is one of these. */
  boolean isRunning(Set<UUID> live) {
    return lastJob != null && live.contains(lastJob);
  }

  /** The line behind its last job, in which so many wait. */
  OverlapLine line(Connection connection, Overlap overlap, int waiting) throws SQLException {
    return new OverlapLine(overlap, !liveJobs(connection, List.of(this)).isEmpty(), waiting);
  }

  /** What a fire changes that is none of its times: the job that it made, and who waits. */
  Advance after(@Nullable UUID job, int waiting) {
    return new Advance(name, version, false, null, job, waiting);
  }

  /**
   * What fires change of a schedule.
   *
   * @param ended whether no fire comes any more
   * @param next the next fire, if one comes; {@code null} to leave it as it is
   * @param lastJob {@code null} to leave it as it is
   * @param waiting by how many more wait
   */
  record Advance(
      String name,
      long version,
      boolean ended,
      @Nullable Instant next,
      @Nullable UUID lastJob,
      int waiting) {}

  /** Writes what fires changed, while the rows are locked. */
  static void advance(Connection connection, List<Advance> schedules) throws SQLException {
    Statements.update(
        connection,
        ADVANCE,
        p ->
            p.columns(schedules)
                .text(Advance::name)
                .longs(Advance::version)
                .ints(one -> one.ended() ? 1 : 0)
                .text(one -> one.next() == null ? null : one.next().toString())
                .text(one -> one.lastJob() == null ? null : one.lastJob().toString())
                .ints(Advance::waiting));
  }
}
