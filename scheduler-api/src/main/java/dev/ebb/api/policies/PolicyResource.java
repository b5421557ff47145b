package dev.ebb.api.policies;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.NamedPolicy;
import dev.ebb.contract.PolicyList;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.named.NamedSettings;
import java.util.List;
import java.util.stream.Stream;

/** Shows policies that have a name. */
final class PolicyResource {
  private PolicyResource() {}

  static PolicyList all(List<NamedSettings<RetryPolicy>> stored) {
    return new PolicyList(
        Stream.concat(
                Presets.names().stream().map(PolicyResource::preset),
                stored.stream().map(PolicyResource::of))
            .toList());
  }

  static NamedPolicy preset(String name) {
    return new NamedPolicy(name, true, PolicyJson.shown(Presets.policy(name)), null);
  }

  static NamedPolicy of(NamedSettings<RetryPolicy> stored) {
    return new NamedPolicy(
        stored.name(),
        false,
        PolicyJson.shown(stored.settings()),
        Answer.shown(stored.createdAt()));
  }
}
