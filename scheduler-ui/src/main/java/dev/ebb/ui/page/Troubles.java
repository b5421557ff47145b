package dev.ebb.ui.page;

import dev.ebb.contract.DatabaseFinding;
import dev.ebb.contract.DatabaseHealth;
import dev.ebb.contract.ErrorGroup;
import dev.ebb.contract.ErrorGroupList;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Node;
import dev.ebb.contract.NodeList;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueList;
import dev.ebb.contract.QueueStanding;
import dev.ebb.contract.StatsOverview;
import dev.ebb.core.health.Limit;
import dev.ebb.core.health.Verdict;
import dev.ebb.ui.words.ClockWords;
import dev.ebb.ui.words.Url;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong now in what the API answers, the worst first. */
final class Troubles {
  /** What is told here of the queues and the nodes themselves. */
  private static final Set<String> TOLD = Set.of("oldest_due", "clock_skew");

  private static final int NAMED = 3;
  private static final int FEW = 20;
  private static final double MANY_FAIL = 0.2;

  private final List<Trouble> found = new ArrayList<>();
  private final Instant now;
  private final BinaryOperator<String> link;

  /**
   * For a page.
   *
   * @param link the address of a page of the dashboard, by its path and a search
   */
  Troubles(Instant now, BinaryOperator<String> link) {
    this.now = now;
    this.link = link;
  }

  private String queue(String name) {
    return link.apply("/queues/" + Url.segment(name), "");
  }

  Troubles nodes(NodeList nodes) {
    String page = link.apply("/nodes", "");
    List<Node> workers =
        nodes.items().stream().filter(node -> node.isAlive() && node.isWorker()).toList();
    if (workers.isEmpty()) {
      found.add(
          Trouble.bad(
              "No worker is running, so no job starts.",
              "Start a node with a worker.",
              page,
              "Nodes"));
    } else if (workers.stream().allMatch(Node::isDraining)) {
      found.add(
          Trouble.bad(
              "Every worker is draining, so no job starts.",
              "Start another node, or undrain one.",
              page,
              "Nodes"));
    }
    for (Node node : nodes.items()) {
      if (node.isLost()) {
        found.add(
            Trouble.warn(
                "Node %s sent its last heartbeat %s."
                    .formatted(node.id(), Words.relative(node.heartbeatAt(), now)),
                "Other nodes have taken over its jobs. Start it again, or let it expire in a day.",
                page,
                "Nodes"));
      } else if (ClockWords.isSkewed(node)) {
        found.add(
            Trouble.warn(
                "The clock of node %s is off by %s."
                    .formatted(node.id(), Words.length(node.clockSkew())),
                "Synchronize it with NTP: times are shown by the nodes' clocks.",
                page,
                "Nodes"));
      }
    }
    return this;
  }

  Troubles queues(QueueList queues, StatsOverview overview, Map<String, Limiter> limiters) {
    queues.items().stream().filter(Queue::paused).forEach(this::paused);
    Set<String> paused =
        queues.items().stream().filter(Queue::paused).map(Queue::name).collect(Collectors.toSet());
    late(
        overview.items().stream()
            .filter(one -> one.queue() != null && !paused.contains(one.queue()))
            .filter(Troubles::isLate)
            .sorted(Comparator.comparing(Troubles::age).reversed())
            .toList());
    limiters.forEach(this::cut);
    return this;
  }

  private void paused(Queue queue) {
    Queue.Pause pause = queue.pause();
    StringBuilder sentence = new StringBuilder("Queue " + queue.name() + " is paused");
    if (pause != null) {
      sentence.append(pause.by() == null ? "" : " by " + pause.by());
      sentence.append(pause.since() == null ? "" : ", since " + Words.relative(pause.since(), now));
      sentence.append(
          pause.until() == null ? "" : ", and resumes " + Words.relative(pause.until(), now));
      sentence.append(pause.reason() == null ? "" : ": " + pause.reason());
    }
    found.add(
        Trouble.warn(
            ended(sentence.toString()),
            "Resume it when the cause is gone. Its rate then rises slowly.",
            queue(queue.name()),
            "Queue"));
  }

  private static String ended(String sentence) {
    return sentence.matches("(?s).*[.!?]") ? sentence : sentence + ".";
  }

  private static Duration age(QueueStanding queue) {
    return Objects.requireNonNullElse(queue.oldestDueAge(), Duration.ZERO);
  }

  private static boolean isLate(QueueStanding queue) {
    return Limit.DUE.of(age(queue)) != Verdict.OK;
  }

  /** The latest queues one by one, the others by their number. */
  private void late(List<QueueStanding> queues) {
    queues.stream().limit(NAMED).forEach(one -> late(one.queue(), age(one)));
    if (queues.size() > NAMED) {
      int more = queues.size() - NAMED;
      found.add(
          Trouble.warn(
              more == 1 ? "One more queue is late." : more + " more queues are late.",
              "A queue is late if a due job has waited for a minute.",
              link.apply("/jobs", "state:due"),
              "Due jobs"));
    }
  }

  private void late(@Nullable String queue, Duration age) {
    String sentence =
        "The oldest due job of %s has been waiting for %s.".formatted(queue, Words.length(age));
    String jobs = link.apply("/jobs", "queue:" + queue + " state:due");
    String advice = "Open one to see why it is waiting.";
    found.add(
        Limit.DUE.of(age) == Verdict.WARN
            ? Trouble.warn(sentence, advice, jobs, "Due jobs")
            : Trouble.bad(sentence, advice, jobs, "Due jobs"));
  }

  private void cut(String queue, Limiter limiter) {
    if (limiter.isCut()) {
      found.add(
          Trouble.warn(
              "Queue %s may start %s instead of %s jobs a second, because its receiver throttles."
                  .formatted(
                      queue,
                      Words.trimmed(limiter.stableRate()),
                      Words.trimmed(limiter.configuredRate())),
              "The rate recovers by itself. If this keeps happening, lower the rate limit.",
              queue(queue),
              "Queue"));
    }
  }

  /** What failed, by a page of groups, last seen first. */
  Troubles failures(QueueStanding all, ErrorGroupList groups) {
    long dead = groups.items().stream().mapToLong(group -> group.count("1h")).sum();
    long kinds = groups.items().stream().filter(group -> group.count("1h") > 0).count();
    boolean exact =
        groups.nextCursor() == null && groups.items().stream().allMatch(ErrorGroup::exact);
    if (dead > 0) {
      found.add(
          Trouble.warn(
              "%s %s became %s in the last hour, for %s."
                  .formatted(
                      Words.number(dead, exact),
                      dead == 1 ? "job" : "jobs",
                      dead == 1 ? "a dead letter" : "dead letters",
                      kinds == 1 ? "one reason" : Words.number(kinds) + " reasons"),
              "Fix the common cause, then redrive them in stages.",
              link.apply("/dead", ""),
              "Dead letters"));
    }
    long failed = all.of(5, "failed") + all.of(5, "throttled");
    long ended = failed + all.of(5, "completed");
    if (ended >= FEW && failed > MANY_FAIL * ended) {
      found.add(
          Trouble.warn(
              "%s of the attempts of the last 5 minutes failed."
                  .formatted(Words.percent((double) failed / ended)),
              "Look for a common cause among the failing jobs.",
              link.apply("/jobs", "state:retrying,dead"),
              "Failing jobs"));
    }
    return this;
  }

  Troubles statistics(StatsOverview overview) {
    if (!overview.complete()) {
      found.add(
          Trouble.warn(
              "The statistics end %s.".formatted(Words.relative(overview.asOf(), now)),
              "Workers update them. If they stay behind, check the workers' logs.",
              link.apply("/nodes", ""),
              "Nodes"));
    }
    return this;
  }

  /** What is bad with the database; what is less is said on its page. */
  Troubles database(DatabaseHealth health) {
    String page = link.apply("/database", "");
    health.findings().stream()
        .filter(DatabaseFinding::isBad)
        .filter(one -> !TOLD.contains(one.code()))
        .forEach(one ->
            found.add(
                Trouble.bad(
                    one.summary(), "The database page says what to do.", page, "Database")));
    return this;
  }

  /** All of them, the worst first. */
  List<Trouble> all() {
    return found.stream()
        .sorted(Comparator.comparingInt(trouble -> trouble.isBad() ? 0 : 1))
        .toList();
  }
}
