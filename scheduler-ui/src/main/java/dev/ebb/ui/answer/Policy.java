package dev.ebb.ui.answer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A retry policy; which fields it has depends on its jitter. */
public record Policy(
    String jitter,
    @Nullable Duration base,
    @Nullable Double factor,
    @Nullable Duration cap,
    @Nullable Duration floor,
    @Nullable Duration spread,
    @Nullable Duration slot,
    @Nullable List<Duration> steps,
    @Nullable Double proportion,
    int maxAttempts,
    @Nullable Duration deadline,
    @Nullable Map<Integer, Double> priorityScale) {

  /** From its JSON. */
  public static Policy of(JsonNode policy) {
    return Json.of(policy, Policy.class);
  }
}
