package dev.ebb.ui.standing;

import dev.ebb.contract.Node;
import dev.ebb.contract.NodeList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether the nodes that are alive can start a queue's jobs. */
public enum Serving {
  NO_WORKER,
  KIND_UNKNOWN,
  NOT_SERVED,
  DRAINING,
  /** None of them has a free slot. */
  FULL,
  FREE;

  /**
   * That of a queue; nodes beyond the page are taken to have a free slot.
   *
   * @param kind of a job of the queue; {@code null} if none is known
   */
  public static Serving of(NodeList nodes, String queue, @Nullable String kind) {
    if (nodes.nextCursor() != null) {
      return FREE;
    }
    List<Node> workers =
        nodes.items().stream().filter(node -> node.isAlive() && node.isWorker()).toList();
    if (workers.isEmpty()) {
      return NO_WORKER;
    }
    List<Node> knowing =
        workers.stream().filter(node -> kind == null || node.kinds().contains(kind)).toList();
    return knowing.isEmpty() ? KIND_UNKNOWN : of(knowing, queue);
  }

  private static Serving of(List<Node> workers, String queue) {
    List<Node> serving = workers.stream().filter(node -> serves(node, queue)).toList();
    if (serving.isEmpty()) {
      return NOT_SERVED;
    }
    List<Node> claiming = serving.stream().filter(node -> !node.isDraining()).toList();
    if (claiming.isEmpty()) {
      return DRAINING;
    }
    return claiming.stream().allMatch(node -> node.inFlight() >= node.concurrency()) ? FULL : FREE;
  }

  private static boolean serves(Node node, String queue) {
    return node.queues() == null || node.queues().contains(queue);
  }

  /** Whether no job can start, whatever limits say. */
  boolean isNone() {
    return this != FULL && this != FREE;
  }
}
