package dev.ebb.api.jobs.submit;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.core.InvalidInput;
import org.jspecify.annotations.Nullable;

/** The field of a new job that says how a duplicate is answered; it is not stored. */
final class OnDuplicate {
  private static final String FIELD = "onDuplicate";

  private OnDuplicate() {}

  /** Whether the job is to be refused where it is a duplicate. */
  static boolean isRejected(JsonObject body) {
    boolean isRejected = isRejected(body, body.optional(FIELD, JsonValue::string));
    if (isRejected && !body.has("uniqueKey")) {
      throw body.refused(new InvalidInput(FIELD, "must not be \"reject\" without uniqueKey"));
    }
    return isRejected;
  }

  private static boolean isRejected(JsonObject body, @Nullable String word) {
    return switch (word) {
      case null -> false;
      case "return" -> false;
      case "reject" -> true;
      default -> throw body.refused(new InvalidInput(FIELD, "must be \"return\" or \"reject\""));
    };
  }
}
