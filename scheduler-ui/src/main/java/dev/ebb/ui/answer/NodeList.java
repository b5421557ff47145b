package dev.ebb.ui.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of nodes by their ids. */
public record NodeList(List<Node> items, @Nullable String nextCursor) {
  /** How many different settings those that are alive run with. */
  public long settings() {
    return items.stream().filter(Node::isAlive).map(Node::settingsHash).distinct().count();
  }
}
