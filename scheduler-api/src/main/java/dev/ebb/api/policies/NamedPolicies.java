package dev.ebb.api.policies;

import dev.ebb.api.http.PolicyNames;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.named.NamedSettings;
import dev.ebb.db.named.Policies;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The policies that bodies name: presets, and those that are stored. */
public final class NamedPolicies {
  private final Policies policies;

  public NamedPolicies(Policies policies) {
    this.policies = policies;
  }

  /** What a request named before, which is repeated now. */
  @FunctionalInterface
  public interface Earlier {
    /** The stored policies by name, as they were then. */
    Map<String, RetryPolicy> named() throws SQLException;
  }

  /** For one request: each stored policy is read once, when the request first names it. */
  public OfRequest forRequest() {
    return forRequest(Map::of);
  }

  /** The same for one that may be a repetition: then what it names is as it was the first time. */
  public OfRequest forRequest(Earlier earlier) {
    return new OfRequest(policies, earlier);
  }

  /** The policies that one request names. */
  public static final class OfRequest implements PolicyNames {
    private final Policies policies;
    private final Earlier earlier;
    private final Map<String, RetryPolicy> stored = new HashMap<>();
    private @Nullable Map<String, RetryPolicy> before;

    private OfRequest(Policies policies, Earlier earlier) {
      this.policies = policies;
      this.earlier = earlier;
    }

    @Override
    public RetryPolicy named(String name) {
      return Presets.names().contains(name)
          ? Presets.policy(name)
          : stored.computeIfAbsent(name, this::read);
    }

    /** Those of them that are no presets. */
    public Map<String, RetryPolicy> stored() {
      return Map.copyOf(stored);
    }

    private RetryPolicy read(String name) {
      try {
        RetryPolicy then = before().get(name);
        return then != null
            ? then
            : policies
                .find(name)
                .map(NamedSettings::settings)
                .orElseThrow(() -> Policies.unknown(name));
      } catch (SQLException failure) {
        if (SqlStates.mayRepeat(failure)) {
          throw Refusal.databaseUnavailable(failure);
        }
        throw new IllegalStateException("the policy " + name + " was not read", failure);
      }
    }

    private Map<String, RetryPolicy> before() throws SQLException {
      if (before == null) {
        before = earlier.named();
      }
      return before;
    }
  }
}
