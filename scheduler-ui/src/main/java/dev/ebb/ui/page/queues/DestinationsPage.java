package dev.ebb.ui.page.queues;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.contract.Circuit;
import dev.ebb.contract.CircuitList;
import dev.ebb.contract.Destination;
import dev.ebb.contract.DestinationList;
import dev.ebb.contract.StatsOverview;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.standing.QueuePace;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The destinations, by name: where each leads, and how its queue stands. */
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

  /**
   * A destination, and how its queue stands.
   *
   * @param circuit {@code null} unless its jobs wait for it
   */
  public record Row(Destination destination, QueuePace standing, @Nullable Circuit circuit) {
    /** The part of the attempts of the last five minutes that failed; {@code null} without any. */
    public @Nullable Double failing() {
      long attempts = standing.attempts();
      return attempts == 0 ? null : (double) standing.failures() / attempts;
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
            Url.of("/v1/destinations", "cursor", cursor, "limit", AT_A_TIME));
    // Both lists go by name, and so do their cursors.
    Map<String, QueuePace> standings = standings(page, cursor);
    CircuitList circuits = page.get(CircuitList.class, "/v1/circuits");
    Map<String, Circuit> troubled =
        circuits.items().stream()
            .collect(Collectors.toMap(Circuit::destination, Function.identity()));
    List<Row> rows =
        destinations.items().stream()
            .filter(one -> standings.containsKey(one.name()))
            .map(one ->
                new Row(
                    one,
                    Objects.requireNonNull(standings.get(one.name())),
                    troubled.get(one.name())))
            .toList();
    return view.html(
        page, "destinations", new Model(rows, circuits, cursor == null, destinations.nextCursor()));
  }

  private static Map<String, QueuePace> standings(Page page, @Nullable String cursor) {
    StatsOverview overview =
        page.get(
            StatsOverview.class,
            Url.of(
                "/v1/stats/overview",
                "destinations",
                "true",
                "cursor",
                cursor,
                "limit",
                AT_A_TIME));
    return overview.items().stream()
        .map(one -> new QueuePace(one, overview.asOf()))
        .collect(
            Collectors.toMap(
                one -> Objects.requireNonNull(one.now().queue()), Function.identity()));
  }
}
