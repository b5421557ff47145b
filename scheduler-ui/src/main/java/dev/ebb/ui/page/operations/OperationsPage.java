package dev.ebb.ui.page.operations;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.contract.Operation;
import dev.ebb.contract.OperationList;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** What was and is done to many jobs at once: the list, and one of them. */
@RestController
public final class OperationsPage {
  private final View view;

  OperationsPage(View view) {
    this.view = view;
  }

  /**
   * What the list shows.
   *
   * @param groups of dead letters that searches name, by the searches
   * @param next whether it begins behind the newest operations
   */
  public record Model(OperationList operations, Map<String, NamedGroup> groups, boolean next) {
    static Model read(Page page, @Nullable String cursor) {
      OperationList operations =
          page.get(OperationList.class, Url.of("/v1/operations", "cursor", cursor));
      Map<String, NamedGroup> groups = new HashMap<>();
      Set<String> asked = new HashSet<>();
      for (Operation operation : operations.items()) {
        String query = operation.query();
        if (query != null && asked.add(query)) {
          // Nothing is kept of a group that is gone: it is asked for once all the same.
          groups.computeIfAbsent(query, search -> NamedGroup.read(page, search));
        }
      }
      return new Model(operations, groups, cursor != null);
    }

    /** Whether one of them goes on by itself. */
    public boolean moves() {
      return operations.items().stream().anyMatch(Operation::isRunning);
    }
  }

  @GetMapping(View.ROOT + "/operations")
  @Open
  @QueryParameters("cursor")
  ResponseEntity<byte[]> list(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Model model = Model.read(page, Query.of(request).value("cursor"));
    return view.html(page, "operations", model);
  }

  @GetMapping(View.ROOT + "/operations/{id}")
  @Open
  ResponseEntity<byte[]> show(
      HttpServletRequest request, HttpServletResponse response, @PathVariable String id) {
    Page page = view.page(request, response);
    Operation operation = page.get(Operation.class, "/v1/operations/" + Url.segment(id));
    return view.html(page, "operation", OperationModel.read(page, operation));
  }
}
