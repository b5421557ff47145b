package dev.ebb.ui.page.queues;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.Forecast;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueRunning;
import dev.ebb.contract.QueueStats;
import dev.ebb.contract.QueueWaiting;
import dev.ebb.ui.page.KeptHistory;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.page.Window;
import dev.ebb.ui.svg.AttemptChart;
import dev.ebb.ui.svg.Figure;
import dev.ebb.ui.svg.FlowChart;
import dev.ebb.ui.svg.ForecastChart;
import dev.ebb.ui.svg.JobLinks;
import dev.ebb.ui.svg.TrendChart;
import dev.ebb.ui.svg.WarmUpChart;
import dev.ebb.ui.svg.WhatIfChart;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
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
   * @param links to the queue's jobs
   */
  public record Model(
      Queue queue,
      @Nullable String tag,
      QueuePace standing,
      @Nullable Limiter limiter,
      Forecast forecast,
      QueueStats stats,
      Window window,
      WhatIf whatIf,
      QueueWaiting waiting,
      QueueRunning running,
      JobLinks links) {
    /** The curve, and the limiter's place on it. */
    public @Nullable Figure warmUp() {
      return limiter == null
          ? null
          : WarmUpChart.of(limiter, forecast.overdue().jobs(), standing.demand(), queue.paused());
    }

    /** The same beside that of the limit that is tried; {@code null} if none is. */
    public @Nullable Figure tried() {
      Limiter other = whatIf.limiter();
      return other == null
          ? null
          : WhatIfChart.of(
              other,
              limiter,
              new WhatIfChart.Load(
                  forecast.overdue().jobs(),
                  standing.demand(),
                  queue.paused(),
                  queue.maxConcurrency()));
    }

    public @Nullable Duration drain() {
      return queue.paused() ? null : standing.drain(limiter);
    }

    /** The page with another window, and with what is tried. */
    public String link(Page page, Window other) {
      return page.link(
          "/queues/" + Url.segment(queue.name()),
          "window",
          other.parameter(),
          WhatIf.RATE,
          whatIf.typed(WhatIf.RATE),
          WhatIf.WARM_UP,
          whatIf.typed(WhatIf.WARM_UP),
          WhatIf.COLD_FACTOR,
          whatIf.typed(WhatIf.COLD_FACTOR));
    }

    /** The jobs that wait, by their attempts. */
    public Figure attempts() {
      return AttemptChart.of(waiting, links);
    }

    public Figure retries() {
      return ForecastChart.of(forecast, links);
    }

    public Figure flow() {
      return FlowChart.of(stats, standing.now().jobs(), links);
    }

    public Figure throughput() {
      return TrendChart.throughput(stats, links);
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
  @QueryParameters({"window", WhatIf.RATE, WhatIf.WARM_UP, WhatIf.COLD_FACTOR})
  ResponseEntity<byte[]> show(
      HttpServletRequest request, HttpServletResponse response, @PathVariable String queue) {
    Page page = view.page(request, response);
    Model model = model(page, queue, Query.of(request));
    return model == null
        ? view.html(HttpStatus.NOT_FOUND, page, "queue-unknown", queue)
        : view.html(page, "queue", model);
  }

  /** {@code null} if there is nothing of the queue. */
  private static @Nullable Model model(Page page, String name, Query query) {
    Window window = Window.of(query.value("window"));
    String path = "/v1/queues/" + Url.segment(name);
    Reply reply = page.ask(path);
    QueuePace standing = QueuePace.of(page, name);
    boolean gone = reply.isRefused(NOT_FOUND);
    if (gone && !standing.isKnown()) {
      return null;
    }
    // Dead letters alone make no queue for the API, but they have a page.
    Queue queue = gone ? Queue.unconfigured(name) : Page.read(reply, Queue.class);
    return new Model(
        queue,
        reply.tag(),
        standing,
        page.limiter(name).orElse(null),
        page.get(Forecast.class, Url.of("/v1/stats/forecast", "queue", name)),
        page.get(QueueStats.class, window.upToNow(name, page.now())),
        window,
        WhatIf.of(page, queue, query),
        page.get(QueueWaiting.class, path + "/waiting"),
        page.get(QueueRunning.class, path + "/running"),
        page.jobLinks(KeptHistory.since(page, window), name));
  }
}
