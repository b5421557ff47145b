package dev.ebb.worker;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of a kind. Each attempt has a virtual thread of its own; many may run at a time,
 * and more than one for the same job: at least once is the promise.
 */
@FunctionalInterface
public interface Handler {

  /**
   * How long an attempt may take unless the job says otherwise, one millisecond to one day; cut to
   * the longest. Asked once, when the worker starts.
   */
  default Duration timeout() {
    return Duration.ofMinutes(5);
  }

  /**
   * How long an attempt may take whatever its job says, one millisecond to one day. Asked once,
   * when the worker starts.
   */
  default Duration longestTimeout() {
    return NewJob.MAX_TIMEOUT;
  }

  /**
   * How soon after a failure a job may be tried again, zero to one hour, whatever its policy says.
   * Asked once, when the worker starts.
   */
  default Duration shortestRetry() {
    return Duration.ZERO;
  }

  /**
   * What it is set to, without secrets: nodes whose handlers differ in it show another hash of
   * their settings. Asked once, when the worker starts.
   */
  default String settings() {
    return "";
  }

  /**
   * The ids of the keys by which it opens stored secrets; {@code null} if it opens none. Asked
   * once, when the worker starts.
   */
  default @Nullable List<String> secretsKeys() {
    return null;
  }

  /**
   * Runs one attempt.
   *
   * @return the outcome; an exception is a failed one
   * @throws InterruptedException when the attempt was told to end: its timeout ran out, its lease
   *     was lost, somebody cancelled the job, or the node shuts down
   */
  Outcome run(JobContext context) throws Exception;
}
