package dev.ebb.db.view;

import dev.ebb.contract.JobCount;
import dev.ebb.core.job.JobState;
import dev.ebb.core.query.JobFilter;
import dev.ebb.db.connection.Database;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The reads that people make: one job, its attempts, lists. */
public final class JobReads {
  /** A page ends with the payload that brings all of its to this. */
  public static final int MOST_PAYLOAD_BYTES = 4 << 20;

  private final Database database;

  public JobReads(Database database) {
    this.database = database;
  }

  /** The job, wherever it is. A new one is found first, and for a tenth of what others cost. */
  public Optional<JobView> find(UUID id) throws SQLException {
    return database.inAutocommit(connection -> Optional.ofNullable(OneJob.find(connection, id)));
  }

  /**
   * A page of the job's attempts.
   *
   * @param after where it begins; {@code null} for the oldest
   * @param limit of attempts
   */
  public AttemptPage attempts(UUID id, AttemptPage.@Nullable Position after, int limit)
      throws SQLException {
    return database.inAutocommit(connection -> AttemptReads.page(connection, id, after, limit));
  }

  /**
   * The job with what happened to it, all as it was at one moment; empty if it is unknown.
   *
   * @param after where its attempts begin; {@code null} for the oldest
   */
  public Optional<JobHistory> history(UUID id, AttemptPage.@Nullable Position after)
      throws SQLException {
    return database.inTransaction(
        connection -> Optional.ofNullable(HistoryReads.find(connection, id, after)));
  }

  /**
   * The same with the newest attempts alone, oldest first.
   *
   * @param limit of attempts; their records are up to 46 KiB each
   */
  public Optional<JobHistory> latest(UUID id, int limit) throws SQLException {
    return database.inTransaction(
        connection -> Optional.ofNullable(HistoryReads.latest(connection, id, limit)));
  }

  /** The job's newest attempt of that number. */
  public Optional<AttemptView> attempt(UUID id, int number) throws SQLException {
    return database.inAutocommit(connection -> AttemptReads.newest(connection, id, number));
  }

  /**
   * A page of the jobs that the filter lets through, newest first, without payloads.
   *
   * @param before only jobs with a smaller id, that is older ones; {@code null} for the newest
   * @param limit of jobs
   */
  public JobPage list(JobFilter filter, @Nullable UUID before, int limit) throws SQLException {
    return list(filter, JobPage.PageRequest.newest(before, limit));
  }

  /** A page of the jobs that the filter lets through. */
  public JobPage list(JobFilter filter, JobPage.PageRequest asked) throws SQLException {
    return database.inAutocommit(connection -> JobLists.page(connection, filter, asked));
  }

  /** How many jobs the filter lets through: exactly if they are few, otherwise about. */
  public JobCount count(JobFilter filter) throws SQLException {
    return database.inAutocommit(
        connection -> JobCounts.count(connection, filter, SearchDepth.COUNT));
  }

  /** The same, exactly for more of them. */
  public JobCount countMany(JobFilter filter) throws SQLException {
    return database.inAutocommit(
        connection -> JobCounts.count(connection, filter, SearchDepth.LARGE_COUNT));
  }

  /** The ordering keys of the queue that wait. */
  public BlockedKeys blockedKeys(String queue) throws SQLException {
    return database.inAutocommit(connection -> BlockedReads.of(connection, queue));
  }

  /**
   * What the filter lets through, for somebody who thinks of acting on it.
   *
   * @param samples how many jobs to show
   */
  public JobMatches matches(JobFilter filter, int samples) throws SQLException {
    return database.inAutocommit(connection ->
        new JobMatches(
            JobCounts.count(connection, filter, SearchDepth.LARGE_COUNT),
            JobCounts.byQueue(connection, filter, SearchDepth.LARGE_COUNT),
            JobLists.page(connection, filter, JobPage.PageRequest.newest(null, samples)).jobs()));
  }

  /** What the dead letters of a filter died of, of those that are counted one by one. */
  public List<FailureCount> failures(JobFilter filter) throws SQLException {
    return database.inAutocommit(
        connection -> JobCounts.byFailure(connection, filter, SearchDepth.LARGE_COUNT));
  }

  /**
   * For each of the jobs that live a mark, which differs after every change that an answer shows;
   * none for those that ended or are unknown. One statement, however many they are.
   */
  public Map<UUID, String> marks(List<UUID> ids) throws SQLException {
    return database.inAutocommit(connection -> JobMarks.of(connection, ids));
  }

  /**
   * The states of these jobs; none for one that is unknown, or no longer kept. One statement,
   * however many they are.
   */
  public Map<UUID, JobState> states(List<UUID> ids) throws SQLException {
    return ids.isEmpty()
        ? Map.of()
        : database.inAutocommit(connection -> JobStates.of(connection, ids));
  }

  /**
   * How far a live job has come with its retries; empty if it ended, is held without an end, or is
   * unknown.
   */
  public Optional<JobStanding> standing(UUID id) throws SQLException {
    return database.inAutocommit(
        connection -> Optional.ofNullable(StandingReads.find(connection, id)));
  }
}
