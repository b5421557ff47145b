package dev.ebb.db;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.RateLimit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A rate limit as JSON, in the database and over REST: {@code permitsPerSecond}, {@code warmUp} =
 * PT0S, {@code coldFactor} = 3, {@code throttleFactor} = 0.5.
 */
public final class RateLimitJson {
  private static final String ROOT = "rateLimit";

  private RateLimitJson() {}

  /**
   * Reads an object.
   *
   * @throws InvalidInput on anything else; its field starts at {@code rateLimit}
   */
  public static RateLimit read(JsonNode json) {
    require(json.isObject(), ROOT, "must be an object");
    try {
      PolicyFields fields = new PolicyFields(json);
      RateLimit limit = limit(fields);
      fields.requireNoOthers();
      return limit;
    } catch (InvalidInput broken) {
      throw broken.under(ROOT);
    }
  }

  /** Reads what is stored: fields that a newer version wrote are left out. */
  static RateLimit stored(JsonNode json) {
    return limit(new PolicyFields(json));
  }

  private static RateLimit limit(PolicyFields fields) {
    require(fields.has("permitsPerSecond"), "permitsPerSecond", "is missing");
    return new RateLimit(
        fields.number("permitsPerSecond", Double.NaN),
        fields.duration("warmUp", RateLimit.DEFAULT_WARM_UP),
        fields.number("coldFactor", RateLimit.DEFAULT_COLD_FACTOR),
        fields.number("throttleFactor", RateLimit.DEFAULT_THROTTLE_FACTOR));
  }

  /** The limit as an object with every field; {@link #read} reads it back. */
  public static JsonNode write(RateLimit limit) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("permitsPerSecond", limit.permitsPerSecond())
        .put("warmUp", limit.warmUp().toString())
        .put("coldFactor", limit.coldFactor())
        .put("throttleFactor", limit.throttleFactor());
  }
}
