package dev.ebb.core.job;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.JsonPointer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What follows one of the ways in which a job may end: planned, or what became of the plan. */
public sealed interface FollowUp {
  /** A payload into which an answer is put may have so many bytes of UTF-8 before. */
  int MAX_OPEN_PAYLOAD_BYTES = NewJob.MAX_PAYLOAD_BYTES / 2;

  /**
   * A job that is submitted by the transaction that ends the first one so.
   *
   * @param job its delay counts from then; without a time of its own, and nothing follows it
   * @param resultPointer JSON Pointer (RFC 6901) of the member of its payload that tells how the
   *     first job ended; {@code null} for none
   */
  record Planned(NewJob job, @Nullable String resultPointer) implements FollowUp {
    public Planned {
      require(job.runAt() == null, "runAt", "must be absent: give a delay");
      require(job.then() == null, "then", "must be absent: nothing follows a follow-up");
      if (resultPointer != null) {
        JsonPointer.require(resultPointer, "resultPointer");
        require(
            job.payload().getBytes(StandardCharsets.UTF_8).length <= MAX_OPEN_PAYLOAD_BYTES,
            "payload",
            "must be at most " + MAX_OPEN_PAYLOAD_BYTES + " bytes of UTF-8 with a resultPointer");
      }
    }
  }

  /** It was submitted, or another job held its unique key. */
  record Submitted(UUID job) implements FollowUp {}

  /** It could not be submitted. */
  record Refused(String why) implements FollowUp {}
}
