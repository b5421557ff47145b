package dev.ebb.db.json;

import static java.util.Objects.requireNonNull;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.Ordering;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The policies, limits and labels that rows hold as JSON. This version keeps working where it
 * cannot read what a newer version wrote.
 */
public final class StoredSettings {
  public static final RetryPolicy DEFAULT_POLICY = Presets.policy(Presets.DEFAULT);

  private static final RateLimit ONE_A_SECOND = RateLimit.of(1, Duration.ZERO, 1);

  private static final Logger LOG = LoggerFactory.getLogger(StoredSettings.class);
  private static final JsonMapper JSON = new JsonMapper();
  private static final TypeReference<Map<String, String>> LABELS = new TypeReference<>() {};
  private static final int REMEMBERED_POLICIES = 1000;
  private static final Map<String, RetryPolicy> POLICIES = new ConcurrentHashMap<>();

  private StoredSettings() {}

  /** A limit that was written and read, for rehearsals: its classes take 0.15 s to load. */
  public static RateLimit example() {
    return requireNonNull(rateLimit(RateLimitJson.write(ONE_A_SECOND).toString()));
  }

  public static RetryPolicy policy(@Nullable String json, RetryPolicy otherwise) {
    RetryPolicy policy = policy(json);
    return policy == null ? otherwise : policy;
  }

  public static @Nullable RetryPolicy policy(@Nullable String json) {
    if (json == null) {
      return null;
    }
    if (POLICIES.size() > REMEMBERED_POLICIES) {
      POLICIES.clear();
    }
    return POLICIES.computeIfAbsent(json, StoredSettings::readPolicy);
  }

  /** A policy of a newer version must not stop this one's claims and rescues. */
  private static RetryPolicy readPolicy(String json) {
    try {
      return PolicyJson.read(JSON.readTree(json));
    } catch (InvalidInput e) {
      LOG.error("this version cannot read a stored policy, using the default: {}", json);
      return DEFAULT_POLICY;
    }
  }

  /** Policies by name as they are stored; {@code null} for none. */
  public static @Nullable String policiesText(Map<String, RetryPolicy> policies) {
    if (policies.isEmpty()) {
      return null;
    }
    ObjectNode json = JSON.createObjectNode();
    policies.forEach((name, policy) -> json.set(name, PolicyJson.write(policy)));
    return json.toString();
  }

  public static Map<String, RetryPolicy> policies(@Nullable String json) {
    Map<String, RetryPolicy> policies = new HashMap<>();
    if (json != null) {
      for (Map.Entry<String, JsonNode> named : JSON.readTree(json).properties()) {
        policies.put(named.getKey(), policy(named.getValue().toString(), DEFAULT_POLICY));
      }
    }
    return policies;
  }

  public static @Nullable RateLimit rateLimit(@Nullable String json) {
    return json == null ? null : readRateLimit(json);
  }

  /** A limit of a newer version must not stop this one's work on other queues. */
  private static RateLimit readRateLimit(String json) {
    try {
      return RateLimitJson.stored(JSON.readTree(json));
    } catch (InvalidInput e) {
      LOG.error("this version cannot read a stored limit, using one a second: {}", json);
      return ONE_A_SECOND;
    }
  }

  /** What bounds ordering keys; that of a newer version must not stop this one's work. */
  public static @Nullable Ordering ordering(@Nullable String json) {
    try {
      return json == null ? null : OrderingJson.stored(JSON.readTree(json));
    } catch (InvalidInput e) {
      LOG.error("this version cannot read what is stored of ordering keys: {}", json);
      return null;
    }
  }

  /** The labels as they are stored; {@code null} for none. */
  public static @Nullable String text(Map<String, String> labels) {
    return labels.isEmpty() ? null : JSON.writeValueAsString(labels);
  }

  public static Map<String, String> labels(@Nullable String json) {
    return json == null ? Map.of() : JSON.readValue(json, LABELS);
  }
}
