package dev.ebb.db.json;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.limit.RateLimit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A rate limit as JSON, in the database and over REST: {@code permitsPerSecond}, {@code warmUp} =
 * PT0S, {@code coldFactor} = 3, {@code throttleFactor} = 0.5.
 */
public final class RateLimitJson {
  private static final String ROOT = "rateLimit";
  private static final String PERMITS = "permitsPerSecond";
  private static final String WARM_UP = "warmUp";
  private static final String COLD = "coldFactor";
  private static final String THROTTLE = "throttleFactor";

  private RateLimitJson() {}

  /**
   * Reads an object.
   *
   * @throws InvalidInput on anything else; its field starts at {@code rateLimit}
   */
  public static RateLimit read(JsonNode json) {
    require(json.isObject(), ROOT, "must be an object");
    try {
      JsonFields fields = new JsonFields(json);
      // Before what is missing: that may be a field whose name was mistyped.
      fields.requireNoneBut(PERMITS, WARM_UP, COLD, THROTTLE);
      return limit(fields);
    } catch (InvalidInput broken) {
      throw broken.under(ROOT);
    }
  }

  /** Reads what is stored: fields that a newer version wrote are left out. */
  static RateLimit stored(JsonNode json) {
    return limit(new JsonFields(json));
  }

  private static RateLimit limit(JsonFields fields) {
    require(fields.has(PERMITS), PERMITS, "is missing");
    return new RateLimit(
        fields.number(PERMITS, Double.NaN),
        fields.duration(WARM_UP, RateLimit.DEFAULT_WARM_UP),
        fields.number(COLD, RateLimit.DEFAULT_COLD_FACTOR),
        fields.number(THROTTLE, RateLimit.DEFAULT_THROTTLE_FACTOR));
  }

  /** The limit as an object with every field; {@link #read} reads it back. */
  public static JsonNode write(RateLimit limit) {
    return JsonMapper.shared().valueToTree(shown(limit));
  }

  /** The limit as answers show it. */
  public static dev.ebb.contract.RateLimit shown(RateLimit limit) {
    return new dev.ebb.contract.RateLimit(
        limit.permitsPerSecond(), limit.warmUp(), limit.coldFactor(), limit.throttleFactor());
  }
}
