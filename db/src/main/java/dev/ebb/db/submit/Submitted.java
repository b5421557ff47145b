package dev.ebb.db.submit;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a submit.
 *
 * @param id the job's id; where the job is a duplicate, the id of the job that holds its unique key
 * @param stored the values that the database decided; {@code null} for a duplicate
 */
public record Submitted(UUID id, @Nullable Stored stored) {
  /**
   * The values with which a new job was stored.
   *
   * @param maxAttempts its own, its policy's or its queue's
   */
  public record Stored(Instant runAt, Instant createdAt, int maxAttempts) {}

  /** The answer where this job holds the unique key. */
  public static Submitted duplicateOf(UUID holder) {
    return new Submitted(holder, null);
  }

  /** Whether nothing was stored. */
  public boolean duplicate() {
    return stored == null;
  }
}
