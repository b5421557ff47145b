package dev.ebb.bench.child;

import dev.ebb.bench.contender.Entrant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The child processes; they stay for all rounds, so that their code stays compiled. */
public final class Nodes implements AutoCloseable {
  private record Key(Entrant entrant, String heap) {}

  private final Map<Key, List<Node>> running = new HashMap<>();

  /** The nodes of a system, started where they are missing. */
  public List<Node> of(Entrant entrant, String heap, int count) throws IOException {
    List<Node> nodes = running.computeIfAbsent(new Key(entrant, heap), _ -> new ArrayList<>());
    nodes.removeIf(node -> !node.isAlive());
    while (nodes.size() < count) {
      nodes.add(Node.start(entrant, heap));
    }
    return nodes.subList(0, count);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    for (List<Node> nodes : running.values()) {
      for (Node node : nodes) {
        node.close();
      }
    }
  }
}
