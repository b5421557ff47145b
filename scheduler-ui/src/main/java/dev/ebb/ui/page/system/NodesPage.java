package dev.ebb.ui.page.system;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.contract.Node;
import dev.ebb.contract.NodeList;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The processes that run Ebb, with those that stopped or were lost within a day. */
@RestController
public final class NodesPage {
  private final View view;

  NodesPage(View view) {
    this.view = view;
  }

  /**
   * What the page shows.
   *
   * @param usual the hash of the settings that most nodes which are alive have; {@code null} where
   *     none is alive
   */
  public record Model(NodeList nodes, @Nullable String usual) {
    /** Whether the node runs with other settings than most. */
    public boolean isOdd(Node node) {
      return usual != null && node.hasComparableSettings() && !node.settingsHash().equals(usual);
    }

    /** The keys of secrets that it has not, in words; {@code null} for none. */
    public @Nullable String lacks(Node node) {
      List<String> keys = node.missingKeys();
      if (keys == null || !node.isAlive()) {
        return null;
      }
      return (keys.size() == 1 ? "lacks key " : "lacks keys ") + String.join(", ", keys);
    }

    /** Whether people can have it claim no more, or claim again. */
    public boolean canDrain(Node node) {
      return node.isWorker() && node.isAlive();
    }
  }

  @GetMapping(View.ROOT + "/nodes")
  @Open
  @QueryParameters("cursor")
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    String cursor = Query.of(request).value("cursor");
    NodeList nodes =
        page.get(NodeList.class, Url.of("/v1/nodes", "limit", "100", "cursor", cursor));
    return view.html(page, "nodes", new Model(nodes, usual(nodes)));
  }

  private static @Nullable String usual(NodeList nodes) {
    Map<String, Integer> hashes = new HashMap<>();
    nodes.items().stream()
        .filter(Node::hasComparableSettings)
        .forEach(node -> hashes.merge(node.settingsHash(), 1, Integer::sum));
    return hashes.entrySet().stream()
        .max(Comparator.comparingInt(Map.Entry::getValue))
        .map(Map.Entry::getKey)
        .orElse(null);
  }
}
