package dev.ebb.api.jobs.read;

import dev.ebb.api.http.Waits;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.view.JobView;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Requests that wait for a change of their job. */
public final class JobWaits extends Waits<JobView> {
  private final JobReads reads;

  JobWaits(JobReads reads, FailureLog failureLog) {
    super("job", failureLog);
    this.reads = reads;
  }

  @Override
  protected Map<UUID, String> marks(List<UUID> ids) throws SQLException {
    return reads.marks(ids);
  }

  @Override
  protected Optional<JobView> find(UUID id) throws SQLException {
    return reads.find(id);
  }
}
