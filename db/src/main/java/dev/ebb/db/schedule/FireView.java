package dev.ebb.db.schedule;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of a fire.
 *
 * @param fireAt the time by the schedule; of a run by hand, when it was asked for
 * @param firedAt when it was served
 * @param byHand whether a person ran it
 * @param missed how many earlier misfires without a job it stands for
 * @param jobId the job that it made, or the one that held its unique key
 * @param error why no job was stored
 */
public record FireView(
    Instant fireAt,
    Instant firedAt,
    Result result,
    boolean byHand,
    long missed,
    @Nullable UUID jobId,
    @Nullable String node,
    @Nullable String error) {
  public enum Result {
    /** It made a job. */
    SUBMITTED,
    /** A job with the same unique key had not ended. */
    DUPLICATE,
    /** The last job had not ended, and the schedule skips. */
    OVERLAPPED,
    /** It waits for the last job to end. */
    WAITING,
    /** It came too late, and the schedule skips misfires. */
    MISFIRED,
    /** Its job could not be stored. */
    REFUSED;

    /** As it is stored and shown. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
