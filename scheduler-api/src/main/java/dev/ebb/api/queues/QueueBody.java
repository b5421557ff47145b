package dev.ebb.api.queues;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.core.job.Ordering;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.queue.QueueSettings;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the settings of a queue, but for its pause, from a body. */
public final class QueueBody {
  private static final List<String> FIELDS =
      List.of(
          "policy", "rateLimit", "maxConcurrency", "maxDepth", "weight", "labelsFrom", "ordering");

  private QueueBody() {}

  /** The fields that it reads, and others. */
  public static String[] with(String... others) {
    return Stream.concat(FIELDS.stream(), Stream.of(others)).toArray(String[]::new);
  }

  /** The settings: a policy that is left out is the default, and a limit is none. */
  public static QueueSettings settings(JsonObject body, boolean paused) {
    String followed = followed(body);
    RetryPolicy policy = followed == null ? body.policy(Presets::policy) : null;
    RateLimit rateLimit = body.rateLimit();
    Integer maxConcurrency = body.optional("maxConcurrency", JsonValue::integer);
    Integer maxDepth = body.optional("maxDepth", JsonValue::integer);
    Integer weight = body.optional("weight", JsonValue::integer);
    Map<String, String> labelsFrom = body.strings("labelsFrom");
    Ordering ordering = body.ordering();
    return body.build(() ->
        new QueueSettings(
                paused, policy, followed, rateLimit, maxConcurrency, maxDepth, weight, labelsFrom)
            .with(ordering));
  }

  /**
   * The stored policy that the queue is to follow; {@code null} for a preset, or one of its own.
   */
  private static @Nullable String followed(JsonObject body) {
    String name = body.policyName();
    return name == null || Presets.names().contains(name) ? null : name;
  }
}
