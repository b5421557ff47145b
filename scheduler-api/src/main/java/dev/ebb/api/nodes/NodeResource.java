package dev.ebb.api.nodes;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.Node;
import dev.ebb.contract.NodeList;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.NodeView;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows nodes. */
public final class NodeResource {
  private NodeResource() {}

  /** A page of nodes. */
  public static NodeList page(List<NodeView> nodes, int limit) {
    return new NodeList(
        nodes.stream().map(NodeResource::of).toList(),
        nodes.size() == limit ? nodes.getLast().facts().name() : null);
  }

  static Node of(NodeView node) {
    NodeFacts facts = node.facts();
    return new Node(
        facts.name(),
        facts.hasWorker() ? "worker" : "api",
        node.state().name().toLowerCase(Locale.ROOT),
        facts.version(),
        facts.settingsHash(),
        facts.hasWorker() && facts.queues().isEmpty() ? null : facts.queues(),
        facts.kinds(),
        facts.concurrency(),
        node.inFlight(),
        Answer.shown(node.startedAt()),
        Answer.shown(node.heartbeatAt()),
        Answer.shownOrNull(node.stoppedAt()),
        node.skew(),
        node.networkSuspected() ? true : null,
        node.polls() ? true : null,
        orNull(node.missingKeys()));
  }

  private static @Nullable List<String> orNull(@Nullable List<String> keys) {
    return keys == null || keys.isEmpty() ? null : keys;
  }
}
