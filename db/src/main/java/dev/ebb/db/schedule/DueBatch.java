package dev.ebb.db.schedule;

import dev.ebb.core.schedule.Overlap;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.schedule.FireJobs.PlannedFire;
import dev.ebb.db.schedule.FireRow.Mark;
import dev.ebb.db.schedule.FireRow.StoredFire;
import dev.ebb.db.schedule.LockedSchedule.Advance;
import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The due fires of some schedules, in one transaction.
 *
 * <pre>
 *   read the schedules ──▶ mark their fires ──▶ lock the schedules ──▶ store the jobs
 *        without a lock      a second node        changed meanwhile?        │
 *                            waits here, and      nothing may stand         ▼
 *                            marks nothing                      write what came of the fires
 * </pre>
 */
final class DueBatch {
  /** With so many marks or more, the schedules that follow are left to the next transaction. */
  static final int MOST_MARKS = 1_000;

  /** For how long it finds fires, in an idle transaction, before it leaves the rest to the next. */
  private static final Duration COMPUTING = Duration.ofSeconds(1);

  private static final String SERIALIZATION_FAILURE = "40001";

  private final Connection connection;
  private final String node;
  private final FireTally fired = new FireTally();

  private DueBatch(Connection connection, String node) {
    this.connection = connection;
    this.node = node;
  }

  /** How jobs are stored. */
  @FunctionalInterface
  interface Store {
    List<StoredFire> store(Connection connection, List<PlannedFire> fires) throws SQLException;
  }

  /** Another transaction is firing the same, or has fired it since it was read. */
  static final class Elsewhere extends SQLException {
    @Serial private static final long serialVersionUID = 1L;

    private Elsewhere(SQLException cause) {
      super("another node is firing", cause.getSQLState(), cause);
    }

    private Elsewhere(DueSchedule due) {
      super("another node has fired " + due.name(), SERIALIZATION_FAILURE);
    }
  }

  /**
   * Fires those of the schedules that are due, or as many of them as fit.
   *
   * @throws Elsewhere if another transaction fires them, or has fired some of them
   * @throws SQLException if none was fired; perhaps because of one of them
   */
  static FireTally fire(Connection connection, String node, List<String> names, Store store)
      throws SQLException {
    DueBatch batch = new DueBatch(connection, node);
    List<DueSchedule> schedules = batch.read(names);
    if (!schedules.isEmpty()) {
      batch.fire(schedules, store);
    }
    return batch.fired;
  }

  private List<DueSchedule> read(List<String> names) throws SQLException {
    List<DueSchedule.Unserved> unserved = DueSchedule.read(connection, names, fired.failures());
    List<DueSchedule> schedules = new ArrayList<>();
    long end = System.nanoTime() + COMPUTING.toNanos();
    int marks = 0;
    for (DueSchedule.Unserved one : unserved) {
      if (!schedules.isEmpty() && (marks >= MOST_MARKS || System.nanoTime() - end > 0)) {
        fired.leftSome();
        break;
      }
      DueSchedule due = one.due();
      marks += due.marks().size();
      schedules.add(due);
    }
    return schedules;
  }

  private void fire(List<DueSchedule> schedules, Store store) throws SQLException {
    Set<FireKey> ours = mark(schedules);
    List<Locked> locked = lock(schedules, ours);
    Set<UUID> live = liveJobs(locked);
    List<PlannedFire> wanted = new ArrayList<>();
    for (Locked one : locked) {
      wanted.addAll(wanted(one.due, one.due.line(one.standing, live), ours));
    }
    List<StoredFire> kept = store.store(connection, wanted);
    Map<FireKey, Instant> served = FireRow.keep(connection, node, kept);
    Map<String, List<StoredFire>> bySchedule =
        kept.stream().collect(Collectors.groupingBy(fire -> fire.key().schedule()));
    List<Advance> advances = new ArrayList<>();
    for (Locked one : locked) {
      List<StoredFire> own = bySchedule.getOrDefault(one.due.name(), List.of());
      advances.add(one.due.advance(one.standing, own));
      fired.add(one.due, own, served);
    }
    LockedSchedule.advance(connection, advances);
  }

  private record Locked(DueSchedule due, LockedSchedule standing) {}

  private Set<FireKey> mark(List<DueSchedule> schedules) throws SQLException {
    List<Mark> marks = schedules.stream().flatMap(due -> due.marks().stream()).toList();
    try {
      return FireRow.mark(connection, node, marks);
    } catch (SQLException e) {
      throw SqlStates.isLocked(e) ? new Elsewhere(e) : e;
    }
  }

  /** None of the fires may stand if a schedule is not as it was read. */
  private List<Locked> lock(List<DueSchedule> schedules, Set<FireKey> ours) throws SQLException {
    Map<String, LockedSchedule> standings =
        LockedSchedule.lock(connection, schedules.stream().map(DueSchedule::name).toList());
    List<Locked> locked = new ArrayList<>();
    for (DueSchedule due : schedules) {
      LockedSchedule standing = standings.get(due.name());
      if (standing == null || standing.paused() || !due.isAsRead(standing)) {
        throw new SQLException(
            "schedule " + due.name() + " was changed while it fired", SERIALIZATION_FAILURE);
      }
      if (due.isOutrun(standing, ours)) {
        throw new Elsewhere(due);
      }
      locked.add(new Locked(due, standing));
    }
    return locked;
  }

  private Set<UUID> liveJobs(List<Locked> schedules) throws SQLException {
    return LockedSchedule.liveJobs(
        connection,
        schedules.stream()
            .filter(one -> one.due.schedule().overlap() != Overlap.ALLOW)
            .map(Locked::standing)
            .toList());
  }

  /** What is to become of those fires of a schedule that nobody marked before. */
  private static List<PlannedFire> wanted(DueSchedule due, OverlapLine line, Set<FireKey> ours) {
    return due.marks().stream()
        .filter(mark -> ours.contains(mark.key()))
        .map(mark -> wanted(due, line, mark))
        .toList();
  }

  private static PlannedFire wanted(DueSchedule due, OverlapLine line, Mark mark) {
    if (due.isSkipped(mark)) {
      return PlannedFire.without(mark.key(), FireView.Result.MISFIRED);
    }
    PlannedFire job = PlannedFire.job(mark.key(), due.schedule());
    if (job.result() == FireView.Result.REFUSED) {
      return job;
    }
    FireView.Result result = line.next();
    return result == FireView.Result.SUBMITTED ? job : PlannedFire.without(mark.key(), result);
  }
}
