package dev.ebb.core.job;

import java.util.UUID;

/**
 * The id that tells a receiver which deliveries are of the same job: {@code webhook-id} of <a
 * href="https://www.standardwebhooks.com">Standard Webhooks</a>.
 *
 * <p>It is the job's id. A job that was submitted with an idempotency key has an id of version 8,
 * and is known to receivers by the last 64 bits of it, which follow from the token, the key and the
 * request. So when a failover lost a job that a merchant had been told of, and its sender repeats
 * the request, the merchant hears the same id again, though the job is a new one.
 *
 * <p>62 of the bits differ between requests: among a hundred million requests with keys to one
 * receiver, two share an id with a probability of 1 in 900.
 */
public final class WebhookId {
  /** The version of a UUID whose last bits are random. */
  public static final int RANDOM = 7;

  /** The version of a UUID whose last bits follow from an idempotency key. */
  public static final int KEYED = 8;

  private static final int TIME = "019f2b1e-7c00-8a10-".length();

  private WebhookId() {}

  /** That of a job, such as {@code 019f2b1e-7c00-7a10-8000-5d2b8f1c0e11}. */
  public static String of(UUID job) {
    String id = job.toString();
    return job.version() == KEYED ? id.substring(TIME) : id;
  }
}
