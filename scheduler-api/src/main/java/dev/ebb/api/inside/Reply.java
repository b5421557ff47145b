package dev.ebb.api.inside;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.Problem;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the API answers a page.
 *
 * @param answer {@code null} where it refuses
 * @param problem the refusal; {@code null} where it answers
 */
public record Reply(@Nullable Answer answer, @Nullable Problem problem) {
  /** Whether it is what was asked for. */
  public boolean isOk() {
    return answer != null;
  }

  /** Whether it is a refusal with this status of HTTP. */
  public boolean isRefused(int status) {
    return problem != null && problem.status() == status;
  }

  /** What it tells. */
  public Object body() {
    return Objects.requireNonNull(Objects.requireNonNull(answer).body());
  }

  /** The entity tag by which a change names what it tells; {@code null} without one. */
  public @Nullable String tag() {
    return answer == null ? null : answer.tag();
  }
}
