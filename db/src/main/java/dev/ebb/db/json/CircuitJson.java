package dev.ebb.db.json;

import dev.ebb.core.circuit.Circuit;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The state of a circuit as its row has it. */
public final class CircuitJson {
  /** What an older version did not write is zero. */
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build();

  private CircuitJson() {}

  /** As it is stored; as if it had never been used where this version cannot read it. */
  public static Circuit read(@Nullable String json, Instant now) {
    if (json == null) {
      return Circuit.closed(now);
    }
    try {
      return JSON.readValue(json, Circuit.class);
    } catch (tools.jackson.core.JacksonException unreadable) {
      return Circuit.closed(now);
    }
  }

  public static String write(Circuit circuit) {
    return JSON.writeValueAsString(circuit);
  }
}
