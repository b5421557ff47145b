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
   * @param next whether it begins behind the newest operations
   */
  public record Model(OperationList operations, boolean next) {
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
    String cursor = Query.of(request).value("cursor");
    OperationList operations =
        page.get(OperationList.class, Url.of("/v1/operations", "cursor", cursor));
    return view.html(page, "operations", new Model(operations, cursor != null));
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
