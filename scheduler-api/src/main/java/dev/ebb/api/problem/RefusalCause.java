package dev.ebb.api.problem;

import dev.ebb.contract.Violation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a request was refused.
 *
 * @param detail a sentence for people
 * @param errors the rules that were broken, in the order in which they were found
 * @param headers that the answer carries beside the body
 * @param existing the path of the resource that stands in the way; {@code null} for none
 * @param traceId stands in the log line of a defect too; {@code null} where it is the request's
 */
public record RefusalCause(
    ProblemCode code,
    String detail,
    List<Violation> errors,
    Map<String, String> headers,
    @Nullable String existing,
    @Nullable String traceId) {

  public RefusalCause {
    detail = Violations.printable(detail);
    errors = List.copyOf(errors);
    headers = Map.copyOf(headers);
  }

  RefusalCause(
      ProblemCode code, String detail, List<Violation> errors, Map<String, String> headers) {
    this(code, detail, errors, headers, null, null);
  }

  /** A defect of Ebb: the answer tells only where to find it in the log. */
  static RefusalCause defect(String traceId) {
    return new RefusalCause(
        ProblemCode.INTERNAL_ERROR,
        "The request failed inside Ebb. The log has the cause under this traceId.",
        List.of(),
        Map.of(),
        null,
        traceId);
  }

  static RefusalCause of(ProblemCode code, String detail) {
    return new RefusalCause(code, detail, List.of(), Map.of());
  }

  /** One that passes: the same request may be served after so many seconds. */
  static RefusalCause passing(ProblemCode code, String detail, long seconds) {
    return new RefusalCause(code, detail, List.of(), Map.of("Retry-After", Long.toString(seconds)));
  }

  static RefusalCause databaseUnavailable() {
    return databaseUnavailable("The database did not answer");
  }

  /**
   * The database does not serve the request now.
   *
   * @param why a sentence without its end
   */
  static RefusalCause databaseUnavailable(String why) {
    return passing(
        ProblemCode.DATABASE_UNAVAILABLE,
        why
            + ". Repeat the request; a submit with an Idempotency-Key or a uniqueKey cannot store"
            + " its job twice.",
        2);
  }

  static RefusalCause of(ProblemCode code, List<Violation> errors) {
    String first = Violations.sentence(errors.getFirst());
    String more = errors.size() == 1 ? "" : " " + (errors.size() - 1) + " more in errors.";
    String detail = first + (first.endsWith("?") ? "" : ".") + more;
    return new RefusalCause(code, detail, errors, Map.of());
  }
}
