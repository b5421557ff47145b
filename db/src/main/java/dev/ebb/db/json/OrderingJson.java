package dev.ebb.db.json;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.Ordering;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What bounds a queue's ordering keys as JSON, in the database and over REST: {@code {maxHold}}.
 * Claims and the trigger {@code pass_turn} read the stored text as an interval.
 */
public final class OrderingJson {
  private static final String ROOT = "ordering";
  private static final String MAX_HOLD = "maxHold";

  private OrderingJson() {}

  /**
   * Reads an object.
   *
   * @throws InvalidInput on anything else; its field starts at {@code ordering}
   */
  public static Ordering read(JsonNode json) {
    require(json.isObject(), ROOT, "must be an object");
    try {
      JsonFields fields = new JsonFields(json);
      fields.requireNoneBut(MAX_HOLD);
      return ordering(fields);
    } catch (InvalidInput broken) {
      throw broken.under(ROOT);
    }
  }

  /** Reads what is stored: fields that a newer version wrote are left out. */
  static Ordering stored(JsonNode json) {
    return ordering(new JsonFields(json));
  }

  private static Ordering ordering(JsonFields fields) {
    return new Ordering(fields.duration(MAX_HOLD));
  }

  /** As an object; {@link #read} reads it back. */
  public static JsonNode write(Ordering ordering) {
    return JsonMapper.shared().valueToTree(shown(ordering));
  }

  /** As answers show it. */
  public static dev.ebb.contract.Ordering shown(Ordering ordering) {
    return new dev.ebb.contract.Ordering(ordering.maxHold());
  }
}
