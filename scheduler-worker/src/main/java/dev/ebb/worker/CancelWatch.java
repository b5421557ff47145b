package dev.ebb.worker;

import dev.ebb.db.JobQueue;
import java.sql.SQLException;
import java.time.Duration;

/** Finds the jobs running here that somebody asked to stop. */
final class CancelWatch {
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final JobQueue jobs;
  private final JobExecutor executor;

  CancelWatch(JobQueue jobs, JobExecutor executor) {
    this.jobs = jobs;
    this.executor = executor;
  }

  /** Looks once, and answers when to look again. */
  Duration step() throws SQLException {
    if (!executor.running().isEmpty()) {
      executor.cancel(jobs.cancelRequested());
    }
    return EVERY;
  }
}
