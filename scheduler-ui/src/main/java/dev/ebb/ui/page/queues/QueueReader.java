package dev.ebb.ui.page.queues;

import dev.ebb.contract.Circuit;
import dev.ebb.contract.Forecast;
import dev.ebb.contract.Job;
import dev.ebb.contract.JobCount;
import dev.ebb.contract.JobList;
import dev.ebb.contract.Limiter;
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
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads how a queue stands. */
final class QueueReader {
  private static final String NODES = "100";
  private static final String JOBS = "100";
  private static final String THROTTLED = "http_429";

  private QueueReader() {}

  static QueueReading read(Page page, Queue queue, QueuePace pace, @Nullable Circuit circuit) {
    String name = queue.name();
    String kind = kind(page, name, pace);
    Limiter limiter = page.limiter(name).orElse(null);
    Forecast forecast = page.get(Forecast.class, Url.of("/v1/stats/forecast", "queue", name));
    return new QueueReading(
        queue,
        pace,
        limiter,
        forecast,
        page.get(QueueRunning.class, "/v1/queues/" + Url.segment(name) + "/running"),
        Serving.of(page.get(NodeList.class, Url.of("/v1/nodes", "limit", NODES)), name, kind),
        kind,
        forecast.overdue().jobs() > 0 ? null : held(page, name),
        limiter == null || !limiter.isCut() ? null : receiver(page, name),
        circuit,
        page.isStartPaused(),
        page.now());
  }

  private static JobCount held(Page page, String queue) {
    String held = Url.of("/v1/jobs/count", "q", "queue:" + queue + " state:held");
    return page.get(JobCount.class, held);
  }

  /** Whose answers made jobs wait that wait still, if they are all of one. */
  private static @Nullable String receiver(Page page, String queue) {
    String tried =
        Url.of("/v1/jobs", "q", "queue:" + queue + " state:available attempts>0", "limit", JOBS);
    List<Job> throttled =
        page.get(JobList.class, tried).items().stream().filter(QueueReader::isThrottled).toList();
    String subject = only(throttled, Job::subject);
    return subject == null ? only(throttled, Job::destination) : subject;
  }

  private static boolean isThrottled(Job job) {
    return job.lastError() != null && job.lastError().reason().equals(THROTTLED);
  }

  private static @Nullable String only(List<Job> jobs, Function<Job, @Nullable String> named) {
    String first = jobs.isEmpty() ? null : named.apply(jobs.getFirst());
    return jobs.stream().allMatch(job -> Objects.equals(named.apply(job), first)) ? first : null;
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
