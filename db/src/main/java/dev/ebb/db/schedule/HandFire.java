package dev.ebb.db.schedule;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.schedule.FireJobs.PlannedFire;
import dev.ebb.db.schedule.FireRow.StoredFire;
import dev.ebb.db.schedule.FireView.Result;
import dev.ebb.db.submit.StartKeys;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The fire of a schedule that a person runs. */
final class HandFire {
  private static final String FIND =
      """
      select f.fire_at, f.fired_at, f.result, f.by_hand, f.missed, f.job_id, f.node, f.error
      from ebb.schedule_fire f
      where f.schedule = ? and f.job_id = ? and f.by_hand and f.fired_at >= ?
      order by f.fire_at
      limit 1
      """;

  private HandFire() {}

  /**
   * Makes its job under the key, unless an earlier request did. What made no job may be repeated.
   */
  static Optional<HandRun> run(Connection connection, String name, Act act, IdempotencyKey key)
      throws SQLException {
    boolean isOurs = StartKeys.lock(connection, key);
    StartKeys.Used used = StartKeys.look(connection, key);
    if (used != null) {
      return Optional.of(known(connection, name, used));
    }
    if (!isOurs) {
      return Optional.of(new HandRun.InFlight());
    }
    Optional<HandRun> run = run(connection, name, act);
    if (run.orElse(null) instanceof HandRun.Done(FireView fire, _) && fire.jobId() != null) {
      StartKeys.keep(connection, key, fire.jobId());
    }
    return run;
  }

  /** The record of fires may have forgotten it: what is known then is its job. */
  private static HandRun known(Connection connection, String name, StartKeys.Used used)
      throws SQLException {
    if (!used.repeated()) {
      return new HandRun.KeyReused(used.at(), used.id());
    }
    FireView fire =
        Statements.first(
            connection, FIND, p -> p.text(name).id(used.id()).time(used.at()), FireRow::view);
    return new HandRun.Done(
        fire != null
            ? fire
            : new FireView(used.at(), used.at(), Result.SUBMITTED, true, 0, used.id(), null, null),
        true);
  }

  /** Makes its job, unless that must wait for another to end; empty if there is no schedule. */
  static Optional<HandRun> run(Connection connection, String name, Act act) throws SQLException {
    ScheduleView view = ScheduleReads.lock(connection, name);
    if (view == null) {
      return Optional.empty();
    }
    Schedule schedule = view.schedule();
    LockedSchedule standing = LockedSchedule.of(connection, name);
    if (!standing.line(connection, schedule.overlap(), standing.waiting()).isFree()) {
      return Optional.of(new HandRun.Barred(standing.waiting()));
    }
    FireKey key = new FireKey(name, FireRow.markByHand(connection, name));
    List<StoredFire> kept =
        FireJobs.storeOrRefuse(connection, List.of(PlannedFire.job(key, schedule)));
    FireRow.keep(connection, null, kept);
    LockedSchedule.advance(connection, List.of(standing.after(kept.getFirst().jobId(), 0)));
    Audit.write(connection, act, "schedule.run", name, 1);
    return Optional.of(new HandRun.Done(FireRow.find(connection, key), false));
  }
}
