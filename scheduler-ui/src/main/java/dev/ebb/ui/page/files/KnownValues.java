package dev.ebb.ui.page.files;

import dev.ebb.contract.Job;
import dev.ebb.contract.JobList;
import dev.ebb.contract.KindList;
import dev.ebb.contract.KindSettings;
import dev.ebb.contract.NamedScheduleList;
import dev.ebb.contract.NodeList;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueList;
import dev.ebb.contract.StatsOverview;
import dev.ebb.core.query.Phase;
import dev.ebb.ui.page.LabelNames;
import dev.ebb.ui.page.Page;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The values that a search box suggests, by the fields that they belong to: the names of settings,
 * and what the newest jobs have. Each read is bounded, and tells no more than its reader may see.
 */
final class KnownValues {
  private static final int NEWEST = 200;

  /** Of a field; a box shows fewer. */
  private static final int MOST = 200;

  /** A longer one is no help in a list. */
  private static final int MAX_LENGTH = 100;

  private final Page page;
  private final List<Job> newest;
  private final List<Queue> queues;
  private final List<KindSettings> kinds;
  private final List<String> schedules;

  private KnownValues(Page page) {
    this.page = page;
    newest = page.known(JobList.class, "/v1/jobs?limit=" + NEWEST, JobList::items);
    queues = page.known(QueueList.class, "/v1/queues?limit=200", QueueList::items);
    kinds = page.known(KindList.class, "/v1/kinds", KindList::items);
    schedules =
        page
            .known(NamedScheduleList.class, "/v1/schedules?limit=200", NamedScheduleList::items)
            .stream()
            .map(schedule -> schedule.name())
            .toList();
  }

  /** What a page's reader may know; a label without a value is known by its name alone. */
  static Map<String, Collection<String>> read(Page page) {
    KnownValues known = new KnownValues(page);
    return Map.of(
        "ordering",
        sorted(known.newest.stream().flatMap(job -> Stream.ofNullable(job.orderingKey()))),
        "state",
        Phase.filterWords(),
        "queue",
        known.queues(),
        "kind",
        known.kinds(),
        "schedule",
        sorted(known.schedules.stream()),
        "label",
        known.labels(),
        "key",
        sorted(known.newest.stream().flatMap(job -> Stream.ofNullable(job.uniqueKey()))),
        "destination",
        sorted(known.newest.stream().flatMap(job -> Stream.ofNullable(job.destination()))),
        "subject",
        sorted(known.newest.stream().flatMap(job -> Stream.ofNullable(job.subject()))));
  }

  private Collection<String> queues() {
    Stream<String> busy =
        page
            .known(StatsOverview.class, "/v1/stats/overview?limit=200", StatsOverview::items)
            .stream()
            .flatMap(one -> Stream.ofNullable(one.queue()));
    return sorted(Stream.concat(busy, queues.stream().map(Queue::name)));
  }

  private Collection<String> kinds() {
    Stream<String> nodes =
        page.known(NodeList.class, "/v1/nodes?limit=100", NodeList::items).stream()
            .flatMap(node -> node.kinds().stream());
    Stream<String> jobs =
        Stream.concat(newest.stream().map(Job::kind), kinds.stream().map(KindSettings::name));
    return sorted(Stream.concat(nodes, jobs));
  }

  private Collection<String> labels() {
    Stream<String> jobs =
        newest.stream()
            .flatMap(job -> job.labels().entrySet().stream())
            .map(label -> label.getKey() + "=" + label.getValue());
    Stream<String> names = LabelNames.taken(queues, kinds).map(name -> name + "=");
    Stream<String> ofSchedules = schedules.stream().map(name -> "schedule=" + name);
    return sorted(Stream.concat(names, Stream.concat(ofSchedules, jobs)));
  }

  private static Collection<String> sorted(Stream<String> values) {
    TreeSet<String> sorted = new TreeSet<>();
    values
        .filter(value -> value.length() <= MAX_LENGTH)
        .takeWhile(_ -> sorted.size() < MOST)
        .forEach(sorted::add);
    return sorted;
  }
}
