package dev.ebb.ui.page.queues;

import dev.ebb.contract.Forecast;
import dev.ebb.contract.Job;
import dev.ebb.contract.JobList;
import dev.ebb.contract.NodeList;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueRunning;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.standing.QueuePace;
import dev.ebb.ui.standing.QueueReading;
import dev.ebb.ui.standing.Serving;
import dev.ebb.ui.words.Url;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads how a queue stands. */
final class QueueReader {
  private static final String NODES = "100";

  private QueueReader() {}

  static QueueReading read(Page page, Queue queue, QueuePace pace) {
    String name = queue.name();
    String kind = kind(page, name, pace);
    return new QueueReading(
        queue,
        pace,
        page.limiter(name).orElse(null),
        page.get(Forecast.class, Url.of("/v1/stats/forecast", "queue", name)),
        page.get(QueueRunning.class, "/v1/queues/" + Url.segment(name) + "/running"),
        Serving.of(page.get(NodeList.class, Url.of("/v1/nodes", "limit", NODES)), name, kind),
        kind,
        page.isStartPaused(),
        page.now());
  }

  /** That of a due job, if one has waited for longer than a worker needs to find it. */
  private static @Nullable String kind(Page page, String queue, QueuePace pace) {
    Duration oldest = pace.now().oldestDueAge();
    if (oldest == null || oldest.compareTo(QueueReading.MOMENTS) < 0) {
      return null;
    }
    String due = Url.of("/v1/jobs", "q", "queue:" + queue + " state:due", "limit", "1");
    List<Job> jobs = page.get(JobList.class, due).items();
    return jobs.isEmpty() ? null : jobs.getFirst().kind();
  }
}
