package dev.ebb.client;

import dev.ebb.contract.Problem;
import java.io.Serial;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A refusal by the server, as RFC 9457 has them: nothing was stored.
 *
 * @serial exclude
 */
@SuppressWarnings("InvalidBlockTag") // It is allowed on a class.
public final class EbbProblem extends EbbException {
  @Serial private static final long serialVersionUID = 1L;

  private static final Pattern PLACE = Pattern.compile("/jobs/(\\d{1,4})(?:/.*)?");

  private final int status;
  private final String type;
  private final String code;
  private final boolean retryable;
  private final Duration retryAfter;
  private final LinkedHashMap<String, String> errors;

  EbbProblem(Problem problem, Duration retryAfter, Map<String, String> errors) {
    super(
        problem.status()
            + " "
            + problem.code()
            + ": "
            + problem.detail()
            + (errors.isEmpty() ? "" : " " + errors),
        null);
    this.status = problem.status();
    this.type = problem.type();
    this.code = problem.code();
    this.retryable = problem.retryable();
    this.retryAfter = retryAfter;
    this.errors = new LinkedHashMap<>(errors);
  }

  /** {@return the HTTP status} */
  public int status() {
    return status;
  }

  /** {@return the URI of this type of problem; {@code about:blank} if a proxy answered} */
  public String type() {
    return type;
  }

  /**
   * {@return the stable name of the problem, such as {@code queue_full}; empty if a proxy answered}
   */
  public String code() {
    return code;
  }

  /** {@return the rules that were broken, by the JSON pointer of the field} */
  public Map<String, String> errors() {
    return new LinkedHashMap<>(errors);
  }

  /**
   * {@return the place, from 0, of the first job with errors among those that were submitted
   * together}
   */
  public OptionalInt place() {
    return errors.keySet().stream()
        .map(PLACE::matcher)
        .filter(Matcher::matches)
        .mapToInt(found -> Integer.parseInt(found.group(1)))
        .findFirst();
  }

  /** {@return how long the server asked to be left alone; zero if it did not say} */
  public Duration retryAfter() {
    return retryAfter;
  }

  /**
   * Whether a server of Ebb's that can do its work has said so. A proxy without a route answers
   * with 404 and the like for a while.
   */
  boolean isFinal() {
    return !retryable && !code.isEmpty() && !code.equals("read_only");
  }

  /** Whether the request may have been served all the same. */
  boolean leavesItOpen() {
    return status == 408 || status >= 500;
  }

  /**
   * Whether earlier tries of the same request were not served either. A token, which may have ended
   * since, is looked at before the key.
   */
  boolean showsNothingWasStored() {
    return isFinal() && status != 401 && status != 403;
  }

  /** {@return whether the same may be accepted later without a change} */
  @Override
  public boolean isRetryable() {
    return retryable;
  }
}
