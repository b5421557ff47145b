package dev.ebb.db.schedule;

import dev.ebb.core.access.Act;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.schedule.FireJobs.Wanted;
import dev.ebb.db.schedule.FireRow.Kept;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The fire of a schedule that a person runs. */
final class HandFire {
  private HandFire() {}

  /** Makes its job, unless that must wait for another to end; empty if there is no schedule. */
  static Optional<HandRun> run(Connection connection, String name, Act act) throws SQLException {
    ScheduleView view = ScheduleReads.lock(connection, name);
    if (view == null) {
      return Optional.empty();
    }
    Schedule schedule = view.schedule();
    Standing standing = Standing.of(connection, name);
    if (!standing.line(connection, schedule.overlap(), standing.waiting()).isFree()) {
      return Optional.of(new HandRun(null, standing.waiting()));
    }
    FireKey key = new FireKey(name, FireRow.markByHand(connection, name));
    List<Kept> kept = FireJobs.storeOrRefuse(connection, List.of(Wanted.job(key, schedule)));
    FireRow.keep(connection, null, kept);
    Standing.advance(connection, List.of(standing.after(kept.getFirst().jobId(), 0)));
    Audit.write(connection, act, "schedule.run", name, 1);
    return Optional.of(new HandRun(FireRow.find(connection, key), 0));
  }
}
