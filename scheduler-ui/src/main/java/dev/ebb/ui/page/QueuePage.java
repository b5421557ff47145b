package dev.ebb.ui.page;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.inside.Reply;
import dev.ebb.api.problem.Refusal;
import dev.ebb.ui.answer.Forecast;
import dev.ebb.ui.answer.Limiter;
import dev.ebb.ui.answer.Queue;
import dev.ebb.ui.answer.QueueStats;
import dev.ebb.ui.svg.Figure;
import dev.ebb.ui.svg.FlowChart;
import dev.ebb.ui.svg.ForecastChart;
import dev.ebb.ui.svg.TrendChart;
import dev.ebb.ui.svg.WarmUpChart;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A queue: how fast it may go, what it did, what it will have to do, and its settings. */
@RestController
public final class QueuePage {
  private static final int NOT_FOUND = 404;

  private final View view;

  QueuePage(View view) {
    this.view = view;
  }

  /**
   * What the page shows.
   *
   * @param tag of the settings; {@code null} without any
   * @param limiter {@code null} without a limit
   */
  public record Model(
      Queue queue,
      @Nullable String tag,
      QueueStanding standing,
      @Nullable Limiter limiter,
      Forecast forecast,
      QueueStats stats,
      QueueWindow window) {

    /** The curve, and the limiter's place on it. */
    public @Nullable Figure warmUp() {
      return limiter == null
          ? null
          : WarmUpChart.of(limiter, forecast.overdue().jobs(), standing.demand(), queue.paused());
    }

    public Figure retries() {
      return ForecastChart.of(forecast);
    }

    public Figure flow() {
      return FlowChart.of(stats, standing.now().jobs());
    }

    public Figure throughput() {
      return TrendChart.throughput(stats);
    }

    public Figure waits() {
      return TrendChart.waits(stats);
    }

    public Figure runs() {
      return TrendChart.runs(stats);
    }

    /** Whether its settings can be deleted. */
    public boolean isEmpty() {
      return standing.now().jobs() + standing.now().deadLetters() == 0;
    }
  }

  @GetMapping(View.ROOT + "/queues/{queue}")
  @Open
  @QueryParameters("window")
  ResponseEntity<byte[]> show(
      HttpServletRequest request, HttpServletResponse response, @PathVariable String queue) {
    Page page = view.page(request, response);
    QueueWindow window =
        QueueWindow.of(Query.of(request).value("window"))
            .orElseThrow(() -> Refusal.parameter("window", "must be 1h, 24h, 7d or 30d"));
    return view.html(page, "queue", model(page, queue, window));
  }

  private static Model model(Page page, String name, QueueWindow window) {
    String path = "/v1/queues/" + Url.segment(name);
    Reply reply = page.ask(path);
    QueueStanding standing = QueueStanding.of(page, name);
    // Dead letters alone make no queue for the API, but they have a page.
    boolean gone = reply.status() == NOT_FOUND && standing.isKnown();
    Queue queue = gone ? Queue.unconfigured(name) : Page.read(reply, Queue.class);
    String from = window.from(page.now()).toString();
    return new Model(
        queue,
        reply.header("ETag"),
        standing,
        page.find(Limiter.class, path + "/limiter").filter(Limiter::isLimited).orElse(null),
        page.get(Forecast.class, Url.of("/v1/stats/forecast", "queue", name)),
        page.get(QueueStats.class, Url.of(path + "/stats", "step", window.step(), "from", from)),
        window);
  }
}
