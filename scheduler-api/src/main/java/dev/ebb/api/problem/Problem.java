package dev.ebb.api.problem;

import java.util.List;
import java.util.Map;

/**
 * Why a request was refused.
 *
 * @param detail a sentence for people
 * @param errors the rules that were broken, in the order in which they were found
 * @param headers that the answer carries beside the body
 */
public record Problem(
    ProblemCode code, String detail, List<Violation> errors, Map<String, String> headers) {

  public Problem {
    detail = Violation.printable(detail);
    errors = List.copyOf(errors);
    headers = Map.copyOf(headers);
  }

  static Problem of(ProblemCode code, String detail) {
    return new Problem(code, detail, List.of(), Map.of());
  }

  static Problem of(ProblemCode code, List<Violation> errors) {
    String more = errors.size() == 1 ? "" : ", and " + (errors.size() - 1) + " more";
    return new Problem(code, errors.getFirst().sentence() + more + ".", errors, Map.of());
  }
}
