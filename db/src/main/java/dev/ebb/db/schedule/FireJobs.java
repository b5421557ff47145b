package dev.ebb.db.schedule;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.schedule.FireRow.StoredFire;
import dev.ebb.db.submit.Submit;
import dev.ebb.db.submit.Submitted;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the jobs of fires, in the transaction that marks them. */
final class FireJobs {
  private static final int MOST_AT_ONCE = 1_000;

  private FireJobs() {}

  /**
   * What a fire is to become.
   *
   * @param job which it makes; {@code null} for none
   * @param error why it makes none, although it should
   */
  record PlannedFire(
      FireKey key, FireView.Result result, @Nullable NewJob job, @Nullable String error) {

    /** A fire that makes no job. */
    static PlannedFire without(FireKey key, FireView.Result result) {
      return new PlannedFire(key, result, null, null);
    }

    /** A fire that makes a job, unless the template's pattern gives none that could be stored. */
    static PlannedFire job(FireKey key, Schedule schedule) {
      try {
        return new PlannedFire(key, FireView.Result.SUBMITTED, schedule.jobAt(key.fireAt()), null);
      } catch (InvalidInput refused) {
        return new PlannedFire(key, FireView.Result.REFUSED, null, refused.getMessage());
      }
    }

    private StoredFire kept(@Nullable Submitted submitted) {
      if (submitted == null) {
        return new StoredFire(key, result, null, error);
      }
      FireView.Result came =
          submitted.duplicate() ? FireView.Result.DUPLICATE : FireView.Result.SUBMITTED;
      return new StoredFire(key, came, submitted.id(), null);
    }

    private StoredFire refused(SQLException why) {
      return job == null
          ? kept(null)
          : new StoredFire(key, FireView.Result.REFUSED, null, SqlStates.words(why));
    }
  }

  /** Stores the jobs, and answers what each fire came to, in their order. */
  static List<StoredFire> store(Connection connection, List<PlannedFire> fires)
      throws SQLException {
    List<NewJob> jobs = new ArrayList<>();
    for (PlannedFire fire : fires) {
      if (fire.job() != null) {
        jobs.add(fire.job());
      }
    }
    List<Submitted> submitted = new ArrayList<>(jobs.size());
    for (int from = 0; from < jobs.size(); from += MOST_AT_ONCE) {
      int to = Math.min(jobs.size(), from + MOST_AT_ONCE);
      submitted.addAll(Submit.store(connection, jobs.subList(from, to)));
    }
    var next = submitted.iterator();
    return fires.stream().map(fire -> fire.kept(fire.job() == null ? null : next.next())).toList();
  }

  /** The same for fires of one schedule: where the database refuses their jobs, it says so. */
  static List<StoredFire> storeOrRefuse(Connection connection, List<PlannedFire> fires)
      throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      return store(connection, fires);
    } catch (SQLException e) {
      if (!SqlStates.isOfTheRows(e)) {
        throw e;
      }
      connection.rollback(before);
      return fires.stream().map(fire -> fire.refused(e)).toList();
    }
  }
}
