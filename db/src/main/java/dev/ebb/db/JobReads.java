package dev.ebb.db;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The reads that people make: one job, its attempts, lists. */
public final class JobReads {
  public JobReads(Database database) {}

  /**
   * A page of a list, newest first. It may be short, even empty, before the end: the cost of a page
   * is bounded, not its yield.
   *
   * @param next the cursor of the next page, {@code null} at the end
   */
  public record Page(List<JobView> jobs, @Nullable UUID next) {}

  public Optional<JobView> find(UUID id) throws SQLException {
    throw new AssertionError();
  }

  /** Every attempt of the job, oldest first; empty where there is none or no such job. */
  public List<AttemptView> attempts(UUID id) throws SQLException {
    throw new AssertionError();
  }

  public Page list(JobFilter filter, int limit) throws SQLException {
    throw new AssertionError();
  }
}
