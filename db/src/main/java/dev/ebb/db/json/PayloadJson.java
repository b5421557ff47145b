package dev.ebb.db.json;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/** The rule that a payload is one JSON value without duplicate keys. */
public final class PayloadJson {
  // Buffers for each thread: to take them from the queue that all threads share by default costs as
  // much as the check of a payload.
  private static final JsonFactory STRICT =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .recyclerPool(JsonRecyclerPools.threadLocalPool())
          .build();

  private PayloadJson() {}

  /**
   * Reads the payload once and keeps nothing of it.
   *
   * @throws InvalidInput if it breaks the rule
   */
  public static void check(String payload) {
    try (JsonParser parser = STRICT.createParser(ObjectReadContext.empty(), payload)) {
      require(parser.nextToken() != null, "payload", "must be a JSON value");
      parser.skipChildren();
      require(parser.nextToken() == null, "payload", "must be one JSON value");
    } catch (JacksonException e) {
      throw new InvalidInput("payload", "must be JSON: " + e.getOriginalMessage());
    }
  }
}
