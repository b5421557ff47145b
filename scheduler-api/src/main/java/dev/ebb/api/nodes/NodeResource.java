package dev.ebb.api.nodes;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Paged;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.NodeView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A node as answers show it; what does not apply is left out.
 *
 * @param role {@code worker} if it runs jobs, {@code api} if it does not
 * @param queues that it serves; absent for all
 * @param clockSkew its clock less the database's, as in {@code PT-0.25S}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record NodeResource(
    String id,
    String role,
    String state,
    String version,
    String settingsHash,
    @Nullable List<String> queues,
    List<String> kinds,
    int concurrency,
    int inFlight,
    Instant startedAt,
    Instant heartbeatAt,
    @Nullable Instant stoppedAt,
    @Nullable String clockSkew) {

  /**
   * A page of nodes by their ids.
   *
   * @param nextCursor of the next page; absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<NodeResource> items, @Nullable String nextCursor) implements Paged {}

  static Page page(List<NodeView> nodes, int limit) {
    return new Page(
        nodes.stream().map(NodeResource::of).toList(),
        nodes.size() == limit ? nodes.getLast().facts().name() : null);
  }

  static NodeResource of(NodeView node) {
    NodeFacts facts = node.facts();
    Duration skew = node.skew();
    return new NodeResource(
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
        skew == null ? null : skew.toString());
  }
}
