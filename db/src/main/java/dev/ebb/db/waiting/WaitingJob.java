package dev.ebb.db.waiting;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A live job, as far as it matters to when it starts.
 *
 * @param attempt the number of the attempt that it waits for or runs
 * @param runAt the earliest instant at which it may run next, were it not held
 * @param lastStart no attempt starts after it; {@code null} if its policy has no deadline
 * @param hold {@code null} unless it is held
 * @param blocker the job of its ordering key that comes first; {@code null} if none keeps it
 * @param run {@code null} unless it runs
 * @param now the database's clock
 */
public record WaitingJob(
    UUID id,
    String queue,
    String kind,
    int priority,
    int attempt,
    Instant runAt,
    @Nullable Instant lastStart,
    @Nullable Hold hold,
    @Nullable Blocker blocker,
    @Nullable Run run,
    Instant now) {

  /**
   * A hold.
   *
   * @param until when it ends by itself; {@code null} for never
   * @param by who held it; {@code null} where the audit does not name the job
   */
  public record Hold(@Nullable Instant until, @Nullable String reason, @Nullable String by) {}

  /**
   * The first job of an ordering key.
   *
   * @param attempt the number of the attempt that it waits for or runs
   * @param runAt the earliest instant at which it may run next
   * @param until when it lets others pass at the latest; {@code null} for when it ends
   * @param failure the reason of its last failed attempt; {@code null} for none
   */
  public record Blocker(
      UUID id,
      String key,
      int attempt,
      Instant runAt,
      @Nullable Instant until,
      boolean running,
      @Nullable String failure) {}

  /** An attempt that runs. */
  public record Run(String node, Instant since) {}

  /** Whether nothing but others and limits keeps it. */
  public boolean isDue() {
    return hold == null && blocker == null && run == null && !runAt.isAfter(now);
  }
}
