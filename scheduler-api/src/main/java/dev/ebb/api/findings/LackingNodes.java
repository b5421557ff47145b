package dev.ebb.api.findings;

import dev.ebb.contract.Finding;
import dev.ebb.contract.Node;
import dev.ebb.core.health.Verdict;
import dev.ebb.db.node.MissingKeys.MissingKey;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What to do about nodes that lack keys of secrets. */
final class LackingNodes {
  private final Map<String, MissingKey> keys;

  LackingNodes(List<MissingKey> keys) {
    this.keys = keys.stream().collect(Collectors.toMap(MissingKey::id, Function.identity()));
  }

  static boolean isOne(Node node) {
    return node.isAlive() && node.missingKeys() != null;
  }

  Finding finding(Node node) {
    List<String> lacked = Objects.requireNonNull(node.missingKeys());
    String named = (lacked.size() == 1 ? "key " : "keys ") + String.join(", ", lacked);
    List<MissingKey> known =
        lacked.stream().flatMap(id -> Stream.ofNullable(keys.get(id))).toList();
    String advice =
        known.isEmpty()
            ? "Give all nodes the same EBB_SECRETS_KEY."
            : known.stream().map(LackingNodes::advice).collect(Collectors.joining(" "));
    boolean gives = node.isWorker() && known.stream().anyMatch(MissingKey::ofDestinations);
    return new Finding(
        "secrets_key_missing",
        Verdict.BAD.word(),
        "Node %s cannot open secrets that %s sealed.".formatted(node.id(), named),
        gives ? advice + " Until then it gives back the deliveries that need it." : advice,
        null,
        node.id());
  }

  private static String advice(MissingKey key) {
    if (key.holder() != null) {
      return "Node %s has %s: give all nodes the same EBB_SECRETS_KEY. If %s is the wrong one, put"
              .formatted(key.holder(), key.id(), key.id())
          + " it last everywhere, and run ./ebb reseal.";
    }
    String unknown = "No live node is known to have " + key.id();
    return key.ofDestinations()
        ? unknown
            + ": add it to EBB_SECRETS_KEY everywhere, or give the secrets again that it sealed."
        : unknown
            + ", by which only the key that signs exports is sealed: add it to EBB_SECRETS_KEY, or"
            + " have a new one made by POST /v1/export-keys.";
  }
}
