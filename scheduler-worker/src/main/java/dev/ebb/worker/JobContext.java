package dev.ebb.worker;

import dev.ebb.core.job.Job;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A handler's view of its attempt. */
public interface JobContext {

  /** The job, with its payload and the number of this attempt. */
  Job job();

  /**
   * The trace that the job was submitted in, as the header {@code traceparent} of W3C Trace Context
   * writes it; {@code null} for none. The attempt's own span, if it is traced, is the current one.
   */
  @Nullable String traceparent();

  /**
   * A fencing token for other systems: it grows with every claim of the job. It follows the
   * database's clock, so it may be smaller while that clock is behind, after it was set back or
   * after a failover.
   */
  long fencingToken();

  /** The time left before the attempt is interrupted; zero when it ran out. */
  Duration remaining();

  /** Whether this attempt must end: cancelled, lease lost, timed out, or the node is stopping. */
  boolean isCancelled();

  /** Reports the attempt's progress, 0 to 100, with a note; shown while it runs. */
  void progress(int percent, String message);

  /**
   * Records JSON text with the attempt, for people to read; the last call counts. At most 65,536
   * characters are kept: a longer text is replaced by a note that says so.
   */
  void record(String json);
}
