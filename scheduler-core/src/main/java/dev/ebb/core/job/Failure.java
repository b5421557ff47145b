package dev.ebb.core.job;

import dev.ebb.core.Text;
import java.math.BigDecimal;
import java.time.Duration;

/**
 * Why an attempt did not complete.
 *
 * @param reason a stable word by which failures are grouped, such as {@code http_500}, {@code
 *     timeout} or {@code worker_lost}; at most {@value #MAX_REASON} characters
 * @param message what a person reads; characters that PostgreSQL or a terminal cannot hold are
 *     replaced, and it is cut at {@value #MAX_MESSAGE} characters
 */
public record Failure(String reason, String message) {
  public static final int MAX_REASON = 64;
  static final int MAX_MESSAGE = 1024;

  /** The attempt's node died or lost its lease. */
  public static final String WORKER_LOST = "worker_lost";

  /** The attempt ran past its timeout. */
  public static final String TIMEOUT = "timeout";

  /** The handler threw. */
  public static final String EXCEPTION = "exception";

  /** The payload is not what the handler expects. */
  public static final String UNREADABLE_PAYLOAD = "unreadable_payload";

  /** The handler was never ready before the deadline. */
  public static final String NOT_READY = "not_ready";

  /** The attempt was not started, because its policy's deadline had passed. */
  public static final String DEADLINE = "deadline";

  public Failure {
    reason = clean(reason, MAX_REASON);
    message = clean(message, MAX_MESSAGE);
  }

  /** The failure that an exception stands for, with the class and message of its causes. */
  public static Failure of(Throwable thrown) {
    StringBuilder message = new StringBuilder();
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < 4; depth++, cause = cause.getCause()) {
      message.append(depth == 0 ? "" : ", caused by ").append(nameOf(cause.getClass()));
      if (cause.getMessage() != null) {
        message.append(": ").append(cause.getMessage());
      }
    }
    return new Failure(EXCEPTION, message.toString());
  }

  /** The simple name, which an anonymous class does not have. */
  private static String nameOf(Class<?> type) {
    return type.getSimpleName().isEmpty() ? type.getName() : type.getSimpleName();
  }

  /** A length for messages, such as {@code 2 s} or {@code 1.5 s}. */
  public static String seconds(Duration length) {
    return BigDecimal.valueOf(length.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
  }

  private static String clean(String text, int maxLength) {
    StringBuilder clean = new StringBuilder(Math.min(text.length(), maxLength));
    text.codePoints()
        .limit(maxLength)
        .map(c -> c == '\r' ? '\uFFFD' : Text.readable(c))
        .forEach(clean::appendCodePoint);
    if (clean.length() <= maxLength) {
      return clean.toString();
    }
    boolean splitsPair = Character.isHighSurrogate(clean.charAt(maxLength - 1));
    return clean.substring(0, splitsPair ? maxLength - 1 : maxLength);
  }
}
