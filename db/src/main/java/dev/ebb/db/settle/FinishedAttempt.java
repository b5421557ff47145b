package dev.ebb.db.settle;

import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.claim.ClaimedJob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a run, and the settlement to write for it.
 *
 * @param node where it ran
 * @param startedNanos when it started, by this process's monotonic clock
 * @param took how long it ran
 * @param detail JSON text to keep with the attempt
 */
public record FinishedAttempt(
    ClaimedJob claimed,
    Outcome outcome,
    Settlement settlement,
    String node,
    long startedNanos,
    Duration took,
    @Nullable String detail) {

  FinishedAttempt with(Settlement settlement) {
    return new FinishedAttempt(claimed, outcome, settlement, node, startedNanos, took, detail);
  }

  /** The same without the detail of its attempt. */
  public FinishedAttempt withoutDetail() {
    return new FinishedAttempt(claimed, outcome, settlement, node, startedNanos, took, null);
  }

  UUID jobId() {
    return claimed.job().id();
  }

  /** The claim that it settles. */
  public Claim claim() {
    return Claim.of(claimed);
  }

  /** Whether the next job of its ordering key may start. */
  public boolean freesItsKey() {
    return claimed.ordered()
        && switch (settlement) {
          case Settlement.Complete _, Settlement.DeadLetter _, Settlement.Cancel _ -> true;
          case Settlement.Retry _, Settlement.Snooze _, Settlement.GiveBack _ -> false;
        };
  }

  /** A claim of a job: a batch may hold the same job under an old token and a new one. */
  public record Claim(UUID job, long token) {
    public static Claim of(ClaimedJob claimed) {
      return new Claim(claimed.job().id(), claimed.fencingToken());
    }

    /** Out of a row that begins with both. */
    static Claim read(ResultSet row) throws SQLException {
      return new Claim(row.getObject(1, UUID.class), row.getLong(2));
    }
  }

  /** How long ago it ended. */
  public Duration sinceEnd() {
    return sinceStart().minus(took);
  }

  /** How long ago it started. */
  Duration sinceStart() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }
}
