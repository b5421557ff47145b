package dev.ebb.api.policies;

import dev.ebb.api.http.PolicyNames;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.policy.Policies;
import dev.ebb.db.policy.PolicyView;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** The policies that bodies name: presets, and those that are stored. */
public final class NamedPolicies {
  private final Policies policies;

  public NamedPolicies(Policies policies) {
    this.policies = policies;
  }

  /** For one request: each stored policy is read once, when the request first names it. */
  public PolicyNames forRequest() {
    Map<String, RetryPolicy> read = new HashMap<>();
    return name ->
        Presets.names().contains(name)
            ? Presets.policy(name)
            : read.computeIfAbsent(name, this::stored);
  }

  private RetryPolicy stored(String name) {
    try {
      return policies.find(name).map(PolicyView::policy).orElseThrow(() -> Policies.unknown(name));
    } catch (SQLException failure) {
      if (SqlStates.mayRepeat(failure)) {
        throw Refusal.databaseUnavailable();
      }
      throw new IllegalStateException("the policy " + name + " was not read", failure);
    }
  }
}
