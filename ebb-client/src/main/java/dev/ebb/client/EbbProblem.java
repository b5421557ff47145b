package dev.ebb.client;

import dev.ebb.contract.Problem;
import java.io.Serial;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A refusal by the server, as RFC 9457 has them.
 *
 * @serial exclude
 */
public final class EbbProblem extends EbbException {
  @Serial private static final long serialVersionUID = 1L;

  private final int status;
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
    this.code = problem.code();
    this.retryable = problem.retryable();
    this.retryAfter = retryAfter;
    this.errors = new LinkedHashMap<>(errors);
  }

  /** {@return the HTTP status} */
  public int status() {
    return status;
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

  /** {@return how long the server asked to be left alone; zero if it did not say} */
  public Duration retryAfter() {
    return retryAfter;
  }

  @Override
  public boolean isRetryable() {
    return retryable;
  }
}
