package dev.ebb.ui.page;

import dev.ebb.api.inside.Reply;
import dev.ebb.contract.JobList;
import dev.ebb.contract.KindList;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The names of labels that are known. */
public final class LabelNames {
  private static final int MOST = 12;
  private static final int SOME_JOBS = 50;

  private LabelNames() {}

  /** Those that queues and kinds take from payloads, and those of the newest jobs. */
  public static Collection<String> seen(Page page) {
    Set<String> names = new LinkedHashSet<>();
    Reply queues = page.ask("/v1/queues?limit=200");
    if (queues.isOk()) {
      Page.read(queues, QueueList.class).items().stream()
          .map(Queue::labelsFrom)
          .filter(Objects::nonNull)
          .map(Map::keySet)
          .forEach(names::addAll);
    }
    Reply kinds = page.ask("/v1/kinds");
    if (kinds.isOk()) {
      Page.read(kinds, KindList.class)
          .items()
          .forEach(kind -> names.addAll(kind.labelsFrom().keySet()));
    }
    Reply jobs = page.ask("/v1/jobs?limit=" + SOME_JOBS);
    if (jobs.isOk()) {
      Page.read(jobs, JobList.class).items().forEach(job -> names.addAll(job.labels().keySet()));
    }
    return names.stream().limit(MOST).toList();
  }
}
