package dev.ebb.api.operations;

import dev.ebb.api.http.Ids;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import java.util.UUID;

/** The ids of operations in requests. */
final class OperationIds {
  private OperationIds() {}

  /** The id in a path. */
  static UUID parse(String id) {
    return Ids.read(id).orElseThrow(() -> Refusal.parameter("id", "must be a UUID"));
  }

  static String path(UUID id) {
    return "/v1/operations/" + id;
  }

  static Refusal unknown(UUID id) {
    return Refusal.of(ProblemCode.OPERATION_NOT_FOUND, "There is no operation " + id + ".");
  }
}
