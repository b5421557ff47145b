package dev.ebb.db.schedule;

import dev.ebb.core.schedule.Schedule;
import dev.ebb.db.schedule.FireJobs.PlannedFire;
import dev.ebb.db.schedule.FireRow.StoredFire;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fire of a schedule that waits for the job before it to end. */
final class WaitingFire {
  private WaitingFire() {}

  /** Makes a job of the one that waits longest, if the job before it has ended. */
  static FireTally start(Connection connection, String node, String name) throws SQLException {
    FireTally fired = new FireTally();
    ScheduleView view = ScheduleReads.lock(connection, name);
    if (view == null || view.pause() != null) {
      return fired;
    }
    Schedule schedule = view.schedule();
    LockedSchedule standing = LockedSchedule.of(connection, name);
    Instant oldest = FireRow.oldestWaiting(connection, name);
    if (oldest == null) {
      // Somebody removed them by hand.
      advance(connection, standing, null, -standing.waiting());
    } else if (standing.line(connection, schedule.overlap(), 0).isFree()) {
      PlannedFire job = PlannedFire.job(new FireKey(name, oldest), schedule);
      List<StoredFire> kept = FireJobs.storeOrRefuse(connection, List.of(job));
      FireRow.keep(connection, node, kept);
      advance(connection, standing, kept.getFirst(), -1);
      fired.add(kept.getFirst(), schedule, null);
    }
    return fired;
  }

  private static void advance(
      Connection connection, LockedSchedule standing, @Nullable StoredFire fire, int waiting)
      throws SQLException {
    LockedSchedule.advance(
        connection, List.of(standing.after(fire == null ? null : fire.jobId(), waiting)));
  }
}
