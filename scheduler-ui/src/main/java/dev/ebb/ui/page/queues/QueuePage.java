package dev.ebb.ui.page.queues;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.BlockedKeys;
import dev.ebb.contract.Circuit;
import dev.ebb.contract.Destination;
import dev.ebb.contract.DestinationAttemptList;
import dev.ebb.contract.DestinationHealth;
import dev.ebb.contract.ErrorGroupList;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueStats;
import dev.ebb.contract.QueueWaiting;
import dev.ebb.contract.StatsOverview;
import dev.ebb.contract.Waiting;
import dev.ebb.ui.page.KeptHistory;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.page.Window;
import dev.ebb.ui.standing.QueuePace;
import dev.ebb.ui.standing.QueueReading;
import dev.ebb.ui.standing.QueueSentence;
import dev.ebb.ui.svg.AttemptChart;
import dev.ebb.ui.svg.Figure;
import dev.ebb.ui.svg.FlowChart;
import dev.ebb.ui.svg.ForecastChart;
import dev.ebb.ui.svg.JobLinks;
import dev.ebb.ui.svg.OutcomeChart;
import dev.ebb.ui.svg.TrendChart;
import dev.ebb.ui.svg.WarmUpChart;
import dev.ebb.ui.svg.WhatIfChart;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A queue: how it stands, what it will have to do, what fails, and its settings. */
@RestController
public final class QueuePage {
  private static final int NOT_FOUND = 404;

  /** Over how long the page shows how a destination did. */
  private static final Duration LATELY = Duration.ofHours(3);

  /** How many groups of dead letters the page names. */
  private static final int GROUPS = 10;

  private final View view;

  QueuePage(View view) {
    this.view = view;
  }

  /**
   * What the page shows.
   *
   * @param tag of the settings; {@code null} without any
   * @param address {@code null} if it is no destination
   * @param lately what the destination did, by the minute; {@code null} if it is none
   * @param last its last attempts; {@code null} if it is none
   * @param windowed whether the reader chose the window
   * @param blocked the ordering keys that wait
   * @param groups of its dead letters, some
   * @param links to the queue's jobs
   */
  public record Model(
      QueueReading reading,
      @Nullable String tag,
      @Nullable Address address,
      @Nullable QueueStats lately,
      @Nullable DestinationAttemptList last,
      QueueStats stats,
      Window window,
      boolean windowed,
      WhatIf whatIf,
      QueueWaiting waiting,
      BlockedKeys blocked,
      ErrorGroupList groups,
      JobLinks links) {
    public Queue queue() {
      return reading.queue();
    }

    public List<Waiting.Part> sentence() {
      return QueueSentence.of(reading);
    }

    /** Whether a circuit keeps its jobs, which the charts of what comes know nothing of. */
    public boolean isKept() {
      return address != null && address.circuit().isTroubled();
    }

    /** The curve, and the limiter's place on it. */
    public @Nullable Figure warmUp() {
      return reading.limiter() == null
          ? null
          : WarmUpChart.of(
              reading.limiter(), reading.due(), reading.pace().demand(), queue().paused());
    }

    /** The same beside that of the limit that is tried; {@code null} if none is. */
    public @Nullable Figure tried() {
      return whatIf.limiter() == null
          ? null
          : WhatIfChart.of(
              whatIf.limiter(),
              reading.limiter(),
              new WhatIfChart.Load(
                  reading.due(),
                  reading.pace().demand(),
                  queue().paused(),
                  queue().maxConcurrency()));
    }

    /** Where the page is, below the dashboard. */
    public String path() {
      return (address == null ? "/queues/" : "/destinations/") + Url.segment(queue().name());
    }

    /** The page with another window, and with what is tried. */
    public String link(Page page, Window other) {
      return page.link(
          path(),
          "window",
          other.word(),
          WhatIf.RATE,
          whatIf.typed(WhatIf.RATE),
          WhatIf.WARM_UP,
          whatIf.typed(WhatIf.WARM_UP),
          WhatIf.COLD_FACTOR,
          whatIf.typed(WhatIf.COLD_FACTOR));
    }

    /** How many jobs wait for another attempt. */
    public long retrying() {
      return waiting.jobs() - waiting.of("0");
    }

    /** The jobs that wait, by their attempts. */
    public Figure attempts() {
      return AttemptChart.of(waiting, links);
    }

    public Figure forecast() {
      return ForecastChart.of(reading.forecast(), links);
    }

    public Figure flow() {
      return FlowChart.of(stats, reading.jobs(), links);
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

    /** How long the attempts of a destination took lately. */
    public Figure latency() {
      return TrendChart.latency(Objects.requireNonNull(lately));
    }

    /** How they ended. */
    public Figure outcomes() {
      return OutcomeChart.of(Objects.requireNonNull(lately));
    }

    /** Whether its settings can be deleted. */
    public boolean isEmpty() {
      return reading.jobs() + reading.pace().now().deadLetters() == 0;
    }
  }

  @GetMapping({View.ROOT + "/queues/{queue}", View.ROOT + "/destinations/{queue}"})
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

  private static @Nullable Address address(Page page, String name) {
    Reply reply = page.ask("/v1/destinations/" + Url.segment(name));
    return reply.isRefused(NOT_FOUND)
        ? null
        : new Address(
            Page.read(reply, Destination.class),
            page.get(Circuit.class, "/v1/destinations/" + Url.segment(name) + "/circuit"),
            page.get(DestinationHealth.class, "/v1/destinations/" + Url.segment(name) + "/health"),
            Objects.requireNonNullElse(reply.tag(), ""));
  }

  /** A destination's is of the moment of its health, or their figures would not agree. */
  private static QueuePace pace(Page page, String name, @Nullable Address address) {
    if (address != null) {
      return new QueuePace(address.health().standing(), address.health().asOf());
    }
    return QueuePace.of(page.get(StatsOverview.class, Url.of("/v1/stats/overview", "queue", name)));
  }

  private static String lately(String path, Instant now) {
    Instant from = now.minus(LATELY).plus(Duration.ofMinutes(1)).truncatedTo(ChronoUnit.MINUTES);
    return Url.of(path + "/stats", "step", "1m", "from", from.toString());
  }

  /** {@code null} if there is nothing of the queue. */
  private static @Nullable Model model(Page page, String name, Query query) {
    Window window = Window.of(query.value("window"));
    String path = "/v1/queues/" + Url.segment(name);
    Reply reply = page.ask(path);
    Address address = address(page, name);
    QueuePace pace = pace(page, name, address);
    boolean gone = reply.isRefused(NOT_FOUND);
    if (gone && !pace.isKnown()) {
      return null;
    }
    // Dead letters alone make no queue for the API, but they have a page.
    Queue queue = gone ? Queue.unconfigured(name) : Page.read(reply, Queue.class);
    return new Model(
        QueueReader.read(page, queue, pace, address == null ? null : address.circuit()),
        reply.tag(),
        address,
        address == null ? null : page.get(QueueStats.class, lately(path, page.now())),
        address == null
            ? null
            : page.get(DestinationAttemptList.class, address.path() + "/attempts"),
        page.get(QueueStats.class, window.upToNow(name, page.now())),
        window,
        query.value("window") != null,
        WhatIf.of(page, queue, query),
        page.get(QueueWaiting.class, path + "/waiting"),
        page.get(BlockedKeys.class, path + "/blocked"),
        page.get(
            ErrorGroupList.class,
            Url.of("/v1/dead-letters/groups", "queue", name, "limit", String.valueOf(GROUPS))),
        page.jobLinks(KeptHistory.since(page, window), name));
  }
}
