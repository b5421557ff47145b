package dev.ebb.ui.page;

import dev.ebb.contract.Job;
import dev.ebb.contract.JobList;
import dev.ebb.contract.KindList;
import dev.ebb.contract.KindSettings;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The names of labels that are known. */
public final class LabelNames {
  private static final int MOST = 12;
  private static final int SOME_JOBS = 50;

  private LabelNames() {}

  /** Those that queues and kinds take from payloads, and those of the newest jobs. */
  public static Collection<String> seen(Page page) {
    List<Queue> queues = page.known(QueueList.class, "/v1/queues?limit=200", QueueList::items);
    List<KindSettings> kinds = page.known(KindList.class, "/v1/kinds", KindList::items);
    List<Job> jobs = page.known(JobList.class, "/v1/jobs?limit=" + SOME_JOBS, JobList::items);
    return Stream.concat(
            taken(queues, kinds), jobs.stream().flatMap(job -> job.labels().keySet().stream()))
        .distinct()
        .limit(MOST)
        .toList();
  }

  /** Those that queues and kinds take from payloads. */
  public static Stream<String> taken(List<Queue> queues, List<KindSettings> kinds) {
    return Stream.concat(
            queues.stream().flatMap(queue -> Stream.ofNullable(queue.labelsFrom())),
            kinds.stream().map(KindSettings::labelsFrom))
        .flatMap(pointers -> pointers.keySet().stream());
  }

  /** A line for each label, with its value or where it is taken from, as forms have them. */
  public static String lines(@Nullable Map<String, String> labels) {
    return labels == null
        ? ""
        : labels.entrySet().stream()
            .map(one -> one.getKey() + "=" + one.getValue())
            .collect(Collectors.joining("\n"));
  }
}
