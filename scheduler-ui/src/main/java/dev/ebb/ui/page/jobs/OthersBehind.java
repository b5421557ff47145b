package dev.ebb.ui.page.jobs;

import dev.ebb.contract.Job;
import dev.ebb.contract.JobList;
import dev.ebb.contract.Waiting;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.words.Search;
import dev.ebb.ui.words.Url;
import java.util.List;

/** Whether jobs of an ordering key wait for one of it, which may have been skipped. */
final class OthersBehind {
  private OthersBehind() {}

  /** One of those that wait tells for all: they wait for the same one. */
  static boolean wait(Page page, Job job) {
    String key = job.orderingKey();
    if (key == null || job.hasEnded() || job.phase().equals("blocked")) {
      return false;
    }
    String search =
        Search.token("queue", job.queue()) + " " + Search.token("ordering", key) + " state:blocked";
    List<Job> blocked =
        page.get(JobList.class, Url.of("/v1/jobs", "q", search, "limit", "1")).items();
    return blocked.stream()
        .flatMap(one -> page.find(Waiting.class, "/v1/jobs/" + one.id() + "/waiting").stream())
        .anyMatch(waiting -> job.id().equals(waiting.blocker()));
  }
}
