package dev.ebb.ui.page.queues;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.contract.CircuitList;
import dev.ebb.contract.Destination;
import dev.ebb.contract.DestinationHealth;
import dev.ebb.contract.DestinationList;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The destinations, the worst first: how each does, and how its queue stands. */
@RestController
public final class DestinationsPage {
  private static final String AT_A_TIME = "50";

  private final View view;

  DestinationsPage(View view) {
    this.view = view;
  }

  /**
   * What the page shows.
   *
   * @param circuits of all destinations whose jobs wait for them, whatever the page
   */
  public record Model(
      List<Row> rows, CircuitList circuits, boolean first, @Nullable String nextCursor) {}

  /** A destination, and how it does. */
  public record Row(Destination destination) {
    public DestinationHealth health() {
      return Objects.requireNonNull(destination.health());
    }
  }

  @GetMapping(View.ROOT + "/destinations")
  @Open
  @QueryParameters("cursor")
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    String cursor = Query.of(request).value("cursor");
    DestinationList destinations =
        page.get(
            DestinationList.class,
            Url.of("/v1/destinations", "sort", "worst", "cursor", cursor, "limit", AT_A_TIME));
    CircuitList circuits = page.get(CircuitList.class, "/v1/circuits");
    return view.html(
        page,
        "destinations",
        new Model(
            destinations.items().stream().map(Row::new).toList(),
            circuits,
            cursor == null,
            destinations.nextCursor()));
  }
}
