package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of nodes by their ids.
 *
 * @param items the nodes of the page
 * @param nextCursor of the next page; absent at the end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeList(List<Node> items, @Nullable String nextCursor) implements Paged {

  /** {@return how many different settings those that are alive run with} */
  public long settings() {
    return items.stream()
        .filter(Node::hasComparableSettings)
        .map(Node::settingsHash)
        .distinct()
        .count();
  }
}
