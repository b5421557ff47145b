package dev.ebb.client;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * An attempt at a job, as its handler sees it.
 *
 * @param <T> the arguments of the job's kind
 */
public interface Run<T> {
  T args();

  /** The job's, the same for each attempt. */
  UUID id();

  String kind();

  String queue();

  /** The number of this attempt, from 1. */
  int attempt();

  int maxAttempts();

  Map<String, String> labels();

  /** When it was due. */
  Instant runAt();

  /** When the job was submitted. */
  Instant createdAt();

  /** Whether somebody asked to stop the job. */
  boolean isCancelled();

  /**
   * Whether the attempt has to end: it was cancelled, its time is over, its lease is lost, so that
   * another worker may run it, or this worker closes. The handler's thread was interrupted, too.
   */
  boolean mustStop();
}
