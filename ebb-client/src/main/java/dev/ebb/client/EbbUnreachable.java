package dev.ebb.client;

import java.io.Serial;

/**
 * A submit may have been stored or not: an answer was lost, or the server or a proxy failed after
 * it had the request, and no later answer said which. The same is told of one that was never sent,
 * for want of a connection or a token. The cause is the last failure.
 *
 * @serial exclude
 */
@SuppressWarnings("InvalidBlockTag") // It is allowed on a class.
public final class EbbUnreachable extends EbbException {
  @Serial private static final long serialVersionUID = 1L;

  private final String idempotencyKey;

  EbbUnreachable(String message, String idempotencyKey, Throwable cause) {
    super(message, cause);
    this.idempotencyKey = idempotencyKey;
  }

  /**
   * The key under which the request was sent. The same jobs under the same key, sent with the same
   * token, are not stored twice within 24 hours.
   *
   * @return what to give to {@link EbbHttp#submit(Job, String)}
   */
  public String idempotencyKey() {
    return idempotencyKey;
  }

  /**
   * True; but without the {@link #idempotencyKey} a submit that is made again is another one,
   * unless its job has a unique key.
   */
  @Override
  public boolean isRetryable() {
    return true;
  }
}
