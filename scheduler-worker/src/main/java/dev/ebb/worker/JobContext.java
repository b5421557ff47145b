package dev.ebb.worker;

import dev.ebb.core.job.Job;
import java.time.Duration;

/** A handler's view of its attempt. */
public interface JobContext {

  /** The job, with its payload and the number of this attempt. */
  Job job();

  /**
   * Tells other systems which attempt is the newest: it grows with every claim of the job, as the
   * database's clock does. After that clock was set back, or a failover to a server whose clock is
   * behind, it may be smaller for as long as that.
   */
  long fencingToken();

  /** How much time is left before the attempt is interrupted; zero when it ran out. */
  Duration remaining();

  /**
   * Whether this attempt must end: cancelled, its lease lost, its time up, or the node shuts down.
   */
  boolean isCancelled();

  /** Reports the attempt's progress, 0 to 100, with a note; shown while it runs. */
  void progress(int percent, String message);

  /**
   * Records JSON text with the attempt, for people to read; the last call counts. At most 65,536
   * characters are kept: a longer text is replaced by a note that says so.
   */
  void record(String json);
}
