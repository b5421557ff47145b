package dev.ebb.db.schedule;

import dev.ebb.core.schedule.DueFires;
import dev.ebb.core.schedule.Misfires;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.schedule.FireRow.Mark;
import dev.ebb.db.schedule.FireRow.StoredFire;
import dev.ebb.db.schedule.LockedSchedule.Advance;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A due schedule and its fires.
 *
 * @param createdAt distinguishes it from one recreated under its name
 * @param nextFireAt the first unserved fire when it was read
 * @param now by the database's clock, when it was read
 */
record DueSchedule(
    Schedule schedule,
    long version,
    Instant createdAt,
    Instant nextFireAt,
    Instant now,
    DueFires due) {
  private static final String DUE =
      """
      select s.name
      from ebb.schedule s
      where s.paused_since is null and s.next_fire_at <= statement_timestamp()
      order by s.name
      """;

  // No lock: whether the schedules are still as they were read is asked behind the marks.
  private static final String READ =
      """
      select
        %s, s.version, s.created_at, s.origin, s.next_fire_at, statement_timestamp() as now
      from ebb.schedule s
      where s.name = any (?) and s.paused_since is null
        and s.next_fire_at <= statement_timestamp()
      order by s.name
      """
          .formatted(ScheduleRow.SETTINGS);

  /** The names of those that are due. */
  static List<String> names(Connection connection) throws SQLException {
    return Statements.list(connection, DUE, _ -> {}, row -> row.getString("name"));
  }

  /** What is stored of a schedule that is due; to find its fires may take a while. */
  record Unserved(
      Schedule schedule,
      long version,
      Instant createdAt,
      Instant origin,
      Instant nextFireAt,
      Instant now) {
    DueSchedule due() {
      DueFires due = DueFires.of(schedule, origin, nextFireAt, now);
      return new DueSchedule(schedule, version, createdAt, nextFireAt, now, due);
    }

    private static Unserved read(ResultSet row) throws SQLException {
      return new Unserved(
          ScheduleRow.schedule(row),
          row.getLong("version"),
          Rows.instant(row, "created_at"),
          Rows.instant(row, "origin"),
          Rows.instant(row, "next_fire_at"),
          Rows.instant(row, "now"));
    }
  }

  /** Those of the names that are still due, and that this version can read. */
  static List<Unserved> read(
      Connection connection, List<String> names, Map<String, Exception> unreadable)
      throws SQLException {
    List<Unserved> unserved = new ArrayList<>();
    Statements.list(
        connection,
        READ,
        p -> p.texts(names),
        row -> {
          try {
            unserved.add(Unserved.read(row));
          } catch (RuntimeException unknown) {
            unreadable.put(row.getString("name"), unknown);
          }
          return row;
        });
    return unserved;
  }

  String name() {
    return schedule.name();
  }

  /** In the order of their times. */
  List<Mark> marks() {
    List<Mark> marks = new ArrayList<>();
    if (due.lastSkipped() != null) {
      marks.add(new Mark(name(), due.lastSkipped(), due.missed() - 1));
    }
    for (Instant fire : due.fires()) {
      marks.add(new Mark(name(), fire, marks.isEmpty() ? due.missed() : 0));
    }
    return marks;
  }

  /** Whether the fire came too late to make a job. */
  boolean isSkipped(Mark mark) {
    return mark.fireAt().equals(due.lastSkipped());
  }

  boolean isMisfire(Mark mark) {
    return mark.fireAt().isBefore(now.minus(Misfires.AFTER));
  }

  /** How many fire times passed unserved, of this mark and of those for which it stands. */
  long misfires(Mark mark) {
    return mark.missed() + (isMisfire(mark) ? 1 : 0);
  }

  /** Whether nobody has changed it since it was read, or made it anew. */
  boolean isAsRead(LockedSchedule standing) {
    return version == standing.version() && createdAt.equals(standing.createdAt());
  }

  /**
   * Whether another node has fired it since it was read, and one of our marks is of a misfire. The
   * key of the marks does not see this: which misfires make a job depends on the time of the look,
   * so that the other node may have counted under a later mark what was marked here.
   */
  boolean isOutrun(LockedSchedule standing, Set<FireKey> ours) {
    Instant onTime = standing.now().minus(Misfires.AFTER);
    return !nextFireAt.equals(standing.nextFireAt())
        && marks().stream()
            .anyMatch(mark -> mark.fireAt().isBefore(onTime) && ours.contains(mark.key()));
  }

  /** The line of its fires, where these jobs have not ended. */
  OverlapLine line(LockedSchedule standing, Set<UUID> live) {
    return new OverlapLine(schedule.overlap(), standing.isRunning(live), standing.waiting());
  }

  /** What these fires change of it. */
  Advance advance(LockedSchedule standing, List<StoredFire> fires) {
    UUID lastJob = null;
    int waiting = 0;
    for (StoredFire fire : fires) {
      lastJob = fire.jobId() == null ? lastJob : fire.jobId();
      waiting += fire.result() == FireView.Result.WAITING ? 1 : 0;
    }
    return new Advance(
        name(), standing.version(), due.next() == null, due.next(), lastJob, waiting);
  }
}
