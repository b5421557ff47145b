package dev.ebb.ui.page.queues;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueList;
import dev.ebb.contract.QueueStanding;
import dev.ebb.contract.QueueStats;
import dev.ebb.contract.StatsOverview;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.Pulse;
import dev.ebb.ui.page.View;
import dev.ebb.ui.page.Window;
import dev.ebb.ui.standing.QueuePace;
import dev.ebb.ui.svg.Gauge;
import dev.ebb.ui.svg.Spark;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
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

  /** Of how many queues a page reads the last hour. */
  private static final int MOST_DRAWN = 16;

  private final View view;

  QueuesPage(View view) {
    this.view = view;
  }

  /** What the page shows. */
  public record Model(List<Row> rows, boolean first, @Nullable String nextCursor) {
    /** Of how many queues there is a line; zero where each has one. */
    public int drawn() {
      return rows.size() > MOST_DRAWN ? MOST_DRAWN : 0;
    }
  }

  /**
   * A queue.
   *
   * @param limiter {@code null} without a limit
   * @param spark what it completed, as a drawing; {@code null} for all but the busiest
   */
  public record Row(
      Queue queue, QueuePace standing, @Nullable Limiter limiter, @Nullable String spark) {
    public String gauge() {
      return limiter == null ? "" : Gauge.of(limiter, queue.paused());
    }

    public @Nullable Duration drain() {
      return queue.paused() ? null : standing.drain(limiter);
    }
  }

  @GetMapping(View.ROOT + "/queues")
  @Open
  @QueryParameters("cursor")
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    String cursor = Query.of(request).value("cursor");
    StatsOverview overview = page.get(StatsOverview.class, path("/v1/stats/overview", cursor));
    // Both lists go by name, and so do their cursors; the overview has every queue of the other.
    Map<String, Queue> settings =
        page.get(QueueList.class, path("/v1/queues", cursor)).items().stream()
            .collect(Collectors.toMap(Queue::name, Function.identity()));
    Map<String, String> sparks = sparks(page, overview);
    List<Row> rows =
        overview.items().stream()
            .map(one -> new QueuePace(one, overview.asOf()))
            .map(one -> row(page, one, settings, sparks))
            .toList();
    return view.html(page, "queues", new Model(rows, cursor == null, overview.nextCursor()));
  }

  private static String path(String path, @Nullable String cursor) {
    return Url.of(path, "cursor", cursor, "limit", AT_A_TIME);
  }

  private static Map<String, String> sparks(Page page, StatsOverview overview) {
    Map<String, String> sparks = new HashMap<>();
    overview.items().stream()
        .sorted(Comparator.comparingLong(QueuesPage::lately).reversed())
        .limit(MOST_DRAWN)
        .map(QueuesPage::name)
        .forEach(name -> sparks.put(name, spark(page, name)));
    return sparks;
  }

  private static long lately(QueueStanding queue) {
    return queue.of(15, "started");
  }

  private static String name(QueueStanding queue) {
    return Objects.requireNonNull(queue.queue());
  }

  private static String spark(Page page, String queue) {
    Window hour = Window.HOUR;
    QueueStats stats = page.get(QueueStats.class, hour.before(queue, page.now()));
    List<Double> rates =
        Pulse.of(List.of(stats), hour.step()).beats().stream()
            .map(Pulse.Beat::completedRate)
            .toList();
    return Spark.of(rates, "good", "Completed in " + queue + ", jobs a second, the last hour");
  }

  private static Row row(
      Page page, QueuePace standing, Map<String, Queue> settings, Map<String, String> sparks) {
    String name = name(standing.now());
    Queue queue = settings.getOrDefault(name, Queue.unconfigured(name));
    String limiter = "/v1/queues/" + Url.segment(name) + "/limiter";
    return new Row(
        queue,
        standing,
        queue.rateLimit() == null ? null : page.find(Limiter.class, limiter).orElse(null),
        sparks.get(name));
  }
}
