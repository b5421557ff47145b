package dev.ebb.ui.page.overview;

import dev.ebb.contract.DatabaseHealth;
import dev.ebb.contract.ErrorGroupList;
import dev.ebb.contract.FindingList;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueList;
import dev.ebb.contract.QueueStanding;
import dev.ebb.contract.QueueStats;
import dev.ebb.contract.StatsOverview;
import dev.ebb.ui.page.KeptHistory;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.Pulse;
import dev.ebb.ui.page.Window;
import dev.ebb.ui.page.overview.OverviewModel.Row;
import dev.ebb.ui.page.overview.OverviewModel.Tile;
import dev.ebb.ui.svg.JobLinks;
import dev.ebb.ui.svg.RateBar;
import dev.ebb.ui.svg.Spark;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks for what the overview shows: of many queues the busiest alone over time. */
final class OverviewReader {
  /** Of how many queues a series is read, and of how many the limiter. */
  private static final int BUSIEST = 8;

  private static final String FIVE = "the last 5 minutes";

  private final Page page;
  private final Window window;
  private final StatsOverview overview;
  private final List<Trouble> troubles;
  private final QueueList queues;
  private final List<String> busiest;
  private final DatabaseHealth database;

  OverviewReader(Page page, Window window) {
    this.page = page;
    this.window = window;
    this.overview = page.get(StatsOverview.class, "/v1/stats/overview?limit=200");
    // Next, while the API answers it from the same reading.
    this.troubles = troubles(page);
    this.queues = page.get(QueueList.class, "/v1/queues?limit=200");
    this.busiest = busiest(overview);
    this.database = page.get(DatabaseHealth.class, "/v1/database");
  }

  private static List<String> busiest(StatsOverview overview) {
    return overview.items().stream()
        .sorted(
            Comparator.<QueueStanding>comparingLong(one -> one.of(15, "started"))
                .thenComparingLong(QueueStanding::jobs)
                .reversed())
        .map(QueueStanding::queue)
        .limit(BUSIEST)
        .toList();
  }

  OverviewModel read() {
    Map<String, QueueStats> series = new LinkedHashMap<>();
    for (String queue : busiest) {
      series.put(queue, page.get(QueueStats.class, window.before(queue, page.now())));
    }
    Map<String, Limiter> limiters = limiters();
    ErrorGroupList groups = page.get(ErrorGroupList.class, "/v1/dead-letters/groups?limit=5");
    Pulse pulse = Pulse.of(series.values(), window.step());
    return new OverviewModel(
        window,
        overview,
        troubles,
        tiles(pulse),
        pulse,
        links(),
        series.size(),
        rows(series, limiters),
        groups.items());
  }

  /** To the jobs of the queues whose series are summed up. */
  private JobLinks links() {
    return page.jobLinks(KeptHistory.since(page, database), busiest.toArray(String[]::new));
  }

  private Map<String, Limiter> limiters() {
    List<String> limited =
        queues.items().stream()
            .filter(queue -> queue.rateLimit() != null)
            .map(Queue::name)
            .sorted(Comparator.comparingInt(name -> busiest.contains(name) ? 0 : 1))
            .limit(BUSIEST)
            .toList();
    Map<String, Limiter> limiters = new LinkedHashMap<>();
    for (String queue : limited) {
      page.limiter(queue).ifPresent(limiter -> limiters.put(queue, limiter));
    }
    return limiters;
  }

  private static List<Trouble> troubles(Page page) {
    return page.get(FindingList.class, "/v1/findings").items().stream()
        .map(one -> Trouble.of(one, (path, q) -> page.link(path, "q", q)))
        .toList();
  }

  private List<Tile> tiles(Pulse pulse) {
    QueueStanding all = overview.all();
    long completed = all.of(5, "completed");
    long failed = all.of(5, "failed") + all.of(5, "throttled");
    String failing =
        completed + failed == 0 ? "–" : Words.percent((double) failed / (completed + failed));
    Duration oldest = oldest();
    return List.of(
        new Tile(
            "Accepted",
            rate(all, "submitted"),
            "jobs/s in " + FIVE,
            spark(pulse, Pulse.Beat::acceptedRate, "info", "Accepted, jobs a second"),
            page.link("/jobs")),
        new Tile(
            "Succeeded",
            rate(all, "completed"),
            "jobs/s in " + FIVE,
            spark(pulse, Pulse.Beat::completedRate, "good", "Succeeded, jobs a second"),
            page.link("/jobs", "q", "state:completed")),
        new Tile(
            "Failing",
            failing,
            "of attempts in " + FIVE,
            spark(pulse, Pulse.Beat::failing, "bad", "Share of attempts that failed"),
            page.link("/jobs", "q", "state:retrying,dead")),
        new Tile(
            "Oldest due job",
            oldest == null ? "none" : Words.length(oldest),
            "line: 90 % of starts wait less",
            spark(pulse, beat -> beat.waited().toNanos() / 1e9, "warn", "Wait of 90 % of starts"),
            page.link("/jobs", "q", "state:due")));
  }

  /** Of the queues that are shown: the API tells none of all together. */
  private @Nullable Duration oldest() {
    Duration oldest = null;
    for (QueueStanding queue : overview.items()) {
      Duration age = queue.oldestDueAge();
      if (age != null && (oldest == null || age.compareTo(oldest) > 0)) {
        oldest = age;
      }
    }
    return oldest;
  }

  private String rate(QueueStanding all, String counter) {
    double seconds =
        all.recent().stream()
            .filter(recent -> recent.minutes() == 5)
            .mapToDouble(recent -> Duration.between(recent.from(), overview.asOf()).toSeconds())
            .findFirst()
            .orElse(0);
    return seconds <= 0 ? "–" : Words.trimmed(all.of(5, counter) / seconds);
  }

  private String spark(Pulse pulse, ToDoubleFunction<Pulse.Beat> value, String css, String label) {
    List<Double> values = pulse.beats().stream().map(value::applyAsDouble).toList();
    return Spark.of(values, css, label + ", the last " + window.words());
  }

  private List<Row> rows(Map<String, QueueStats> series, Map<String, Limiter> limiters) {
    Set<String> paused =
        queues.items().stream().filter(Queue::paused).map(Queue::name).collect(Collectors.toSet());
    return overview.items().stream()
        .map(one -> row(one, paused, series.get(one.queue()), limiters.get(one.queue())))
        .toList();
  }

  private Row row(
      QueueStanding one,
      Set<String> paused,
      @Nullable QueueStats series,
      @Nullable Limiter limiter) {
    boolean stands = paused.contains(one.queue());
    String spark =
        series == null
            ? null
            : spark(
                Pulse.of(List.of(series), window.step()),
                Pulse.Beat::completedRate,
                "good",
                "Succeeded in " + one.queue() + ", jobs a second");
    return new Row(
        one,
        stands,
        spark,
        limiter == null ? null : RateBar.of(limiter, stands),
        limiter == null ? null : RateBar.words(limiter, stands));
  }
}
