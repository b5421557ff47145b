package dev.ebb.client;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt came to. The server decides what becomes of the job. Two that say the same are
 * equal.
 */
public final class Outcome {
  private static final int LONGEST_REASON = 64;
  private static final int LONGEST_RESULT = 1000;
  private static final Set<String> FAILURES = Set.of("failed", "fatal", "throttled");
  private static final Duration LONGEST_DELAY = Duration.ofDays(3650);
  private static final Outcome COMPLETED = new Outcome("completed", "", "");
  private static final Outcome CANCELLED = new Outcome("cancelled", "", "");
  private static final Outcome GIVEN_BACK = new Outcome("given_back", "", "");

  private final String word;
  private final String reason;
  private final String message;
  private final @Nullable Duration retryAfter;
  private final @Nullable Duration delay;
  private final Map<String, String> result;

  private Outcome(String word, String reason, String message) {
    this(word, reason, message, null, null, Map.of());
  }

  private Outcome(
      String word,
      String reason,
      String message,
      @Nullable Duration retryAfter,
      @Nullable Duration delay,
      Map<String, String> result) {
    this.word = word;
    this.reason = FAILURES.contains(word) ? reason(word, reason) : "";
    this.message = Text.storable(String.valueOf(message));
    this.retryAfter = retryAfter;
    this.delay = delay;
    this.result = result;
  }

  private static String reason(String word, String reason) {
    String given = String.valueOf(reason);
    String kept = Text.storable(given.substring(0, Math.min(LONGEST_REASON, given.length())));
    return kept.isBlank() ? word : kept;
  }

  /**
   * The job is done.
   *
   * @return what completes it
   */
  public static Outcome completed() {
    return COMPLETED;
  }

  /**
   * The job is done, with words that are shown. If the server does not take these, the job is done
   * without them.
   *
   * @param result up to 20 words; a name is a letter, then up to 62 letters, digits, _ . or -, and
   *     of each word 1,000 characters are kept
   * @return what completes it
   */
  public static Outcome completed(Map<String, String> result) {
    Map<String, String> kept = new LinkedHashMap<>();
    result.forEach((name, value) -> {
      String word = String.valueOf(value);
      kept.put(name, Text.storable(word.substring(0, Math.min(LONGEST_RESULT, word.length()))));
    });
    return new Outcome("completed", "", "", null, null, kept);
  }

  /**
   * It is tried again by its policy, or becomes a dead letter.
   *
   * @param reason by which such failures are counted; of it, 64 characters are kept
   * @param message what a person has to know; of it, 1,024 characters are kept
   * @return a failure
   */
  public static Outcome failed(String reason, String message) {
    return new Outcome("failed", reason, message);
  }

  /**
   * The same for an exception, with the names and messages of its causes.
   *
   * @param thrown what a handler threw
   * @return a failure with the reason {@code exception}
   */
  public static Outcome failed(Throwable thrown) {
    StringBuilder message = new StringBuilder();
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < 4; depth++, cause = cause.getCause()) {
      String name = cause.getClass().getSimpleName();
      message.append(depth == 0 ? "" : ", caused by ");
      message.append(name.isEmpty() ? cause.getClass().getName() : name);
      String words = words(cause);
      if (words != null) {
        message.append(": ").append(words);
      }
    }
    return new Outcome("failed", "exception", message.toString());
  }

  /** Its message; {@code null} if it has none, or fails to make it. */
  static @Nullable String words(Throwable thrown) {
    try {
      return thrown.getMessage();
    } catch (RuntimeException | Error unsayable) {
      return null;
    }
  }

  /**
   * The same as failed, not before a time, and the rate of the queue is cut.
   *
   * @param reason as of a failure
   * @param message as of a failure
   * @param retryAfter how long to wait at least; ten years at most
   * @return a failure that slows the queue down
   */
  public static Outcome throttled(String reason, String message, Duration retryAfter) {
    return new Outcome("throttled", reason, message, length(retryAfter), null, Map.of());
  }

  /**
   * It comes again by its policy, and this attempt does not count.
   *
   * @return that there is nothing to do yet
   */
  public static Outcome notReady() {
    return new Outcome("not_ready", "", "");
  }

  /**
   * It comes again after a time, and this attempt does not count.
   *
   * @param delay how long to wait; ten years at most
   * @return that there is nothing to do yet
   */
  public static Outcome notReady(Duration delay) {
    return new Outcome("not_ready", "", "", null, length(delay), Map.of());
  }

  /**
   * The job becomes a dead letter, without another attempt.
   *
   * @param reason as of a failure
   * @param message as of a failure
   * @return a failure that no attempt can mend
   */
  public static Outcome fatal(String reason, String message) {
    return new Outcome("fatal", reason, message);
  }

  /**
   * The job ends as cancelled.
   *
   * @return what ends it without a result
   */
  public static Outcome cancelled() {
    return CANCELLED;
  }

  /** {@return that it is due again at once, for any worker, and this attempt does not count} */
  public static Outcome givenBack() {
    return GIVEN_BACK;
  }

  /** {@return its name in the protocol and in metrics: {@code completed}, {@code failed}, …} */
  public String word() {
    return word;
  }

  /** {@return how long a job that is not ready waits, if it says so} */
  public Optional<Duration> delay() {
    return Optional.ofNullable(delay);
  }

  /** The result that the protocol has for this, of a job of a lease. */
  String result(String lease, String job, Duration took) {
    JsonWriter object = new JsonWriter();
    object.put("lease", lease).put("id", job).put("outcome", word);
    object.put("tookMs", Math.min(took.toMillis(), Integer.MAX_VALUE));
    if (!reason.isEmpty()) {
      object.put("reason", reason).put("message", message);
    }
    if (retryAfter != null) {
      object.put("retryAfter", retryAfter);
    }
    if (delay != null) {
      object.put("delay", delay);
    }
    if (!result.isEmpty()) {
      object.put("result", result);
    }
    return object.end();
  }

  /**
   * The same without what cannot be told of it: what is done stays done, and what is to be a dead
   * letter becomes one.
   */
  Outcome bare(String why) {
    return new Outcome(word, "bad_outcome", FAILURES.contains(word) ? why : "");
  }

  private static Duration length(Duration given) {
    if (given.isNegative()) {
      return Duration.ZERO;
    }
    Duration most = given.compareTo(LONGEST_DELAY) < 0 ? given : LONGEST_DELAY;
    return most.truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Outcome that
        && word.equals(that.word)
        && reason.equals(that.reason)
        && message.equals(that.message)
        && Objects.equals(retryAfter, that.retryAfter)
        && Objects.equals(delay, that.delay)
        && result.equals(that.result);
  }

  @Override
  public int hashCode() {
    return Objects.hash(word, reason, message, retryAfter, delay, result);
  }

  @Override
  public String toString() {
    return reason.isEmpty() ? word : word + " " + reason + ": " + message;
  }
}
