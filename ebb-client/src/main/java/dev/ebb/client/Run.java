package dev.ebb.client;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * An attempt at a job, as its handler sees it. Ebb alone implements it: a minor version may add
 * methods.
 *
 * @param <T> the arguments of the job's kind
 */
public interface Run<T> {
  /** {@return the arguments of the job} */
  T args();

  /** {@return the job's id, the same for each attempt} */
  UUID id();

  /** {@return the name of the kind} */
  String kind();

  /** {@return the queue from which the job came} */
  String queue();

  /** {@return the number of this attempt, from 1} */
  int attempt();

  /** {@return how often the job is tried at most} */
  int maxAttempts();

  /** {@return the job's labels} */
  Map<String, String> labels();

  /**
   * {@return the trace in which the job was submitted, as a {@code traceparent} of W3C Trace
   * Context, to which the span of the attempt may link}
   */
  Optional<String> traceparent();

  /** {@return when it was due} */
  Instant runAt();

  /** {@return when the job was submitted} */
  Instant createdAt();

  /** {@return whether somebody asked to stop the job} */
  boolean isCancelled();

  /**
   * Whether the attempt has to end: it was cancelled, its time is over, its lease is lost, so that
   * another worker may run it, or this worker closes. The handler's thread was interrupted, too.
   *
   * @return whether to end now
   */
  boolean mustStop();

  /** {@return why it has to end, the first reason that came; empty as long as it need not} */
  Optional<Stop> why();

  /**
   * What people see of it from one of the next renewals on, while it runs.
   *
   * @param percent how much of it is done, 0 to 100
   * @param message what is done
   */
  void progress(int percent, String message);
}
