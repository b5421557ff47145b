package dev.ebb.api.policies;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.NamedPolicy;
import dev.ebb.contract.PolicyList;
import dev.ebb.core.retry.Presets;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.policy.PolicyView;
import java.util.List;
import java.util.stream.Stream;

/** Shows policies that have a name. */
final class PolicyResource {
  private PolicyResource() {}

  static PolicyList all(List<PolicyView> stored) {
    return new PolicyList(
        Stream.concat(
                Presets.names().stream().map(PolicyResource::preset),
                stored.stream().map(PolicyResource::of))
            .toList());
  }

  static NamedPolicy preset(String name) {
    return new NamedPolicy(name, true, PolicyJson.shown(Presets.policy(name)), null);
  }

  static NamedPolicy of(PolicyView stored) {
    return new NamedPolicy(
        stored.name(), false, PolicyJson.shown(stored.policy()), Answer.shown(stored.createdAt()));
  }
}
