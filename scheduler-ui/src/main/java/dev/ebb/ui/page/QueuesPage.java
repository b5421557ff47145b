package dev.ebb.ui.page;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.ui.answer.Limiter;
import dev.ebb.ui.answer.Overview;
import dev.ebb.ui.answer.Queue;
import dev.ebb.ui.answer.QueueList;
import dev.ebb.ui.svg.Gauge;
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

/** The queues, by name. */
@RestController
public final class QueuesPage {
  private static final String AT_A_TIME = "50";

  private final View view;

  QueuesPage(View view) {
    this.view = view;
  }

  /** What the page shows. */
  public record Model(List<Row> rows, boolean first, @Nullable String nextCursor) {}

  /**
   * A queue.
   *
   * @param limiter {@code null} without a limit
   */
  public record Row(Queue queue, QueueStanding standing, @Nullable Limiter limiter) {
    public String gauge() {
      return limiter == null ? "" : Gauge.of(limiter);
    }
  }

  @GetMapping(View.ROOT + "/queues")
  @Open
  @QueryParameters("cursor")
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    String cursor = Query.of(request).value("cursor");
    Overview overview = page.get(Overview.class, path("/v1/stats/overview", cursor));
    // Both lists go by name, and so do their cursors; the overview has every queue of the other.
    Map<String, Queue> settings =
        page.get(QueueList.class, path("/v1/queues", cursor)).items().stream()
            .collect(Collectors.toMap(Queue::name, Function.identity()));
    List<Row> rows =
        overview.items().stream()
            .map(one -> new QueueStanding(one, overview.asOf()))
            .map(one -> row(page, one, settings))
            .toList();
    return view.html(page, "queues", new Model(rows, cursor == null, overview.nextCursor()));
  }

  private static String path(String path, @Nullable String cursor) {
    return Url.of(path, "cursor", cursor, "limit", AT_A_TIME);
  }

  private static Row row(Page page, QueueStanding standing, Map<String, Queue> settings) {
    String name = Objects.requireNonNull(standing.now().queue());
    Queue queue = settings.getOrDefault(name, Queue.unconfigured(name));
    String limiter = "/v1/queues/" + Url.segment(name) + "/limiter";
    return new Row(
        queue,
        standing,
        queue.rateLimit() == null ? null : page.find(Limiter.class, limiter).orElse(null));
  }
}
