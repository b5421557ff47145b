package dev.ebb.api.findings;

import static java.util.Objects.requireNonNull;

import dev.ebb.contract.Circuit;
import dev.ebb.contract.DatabaseFinding;
import dev.ebb.contract.DatabaseHealth;
import dev.ebb.contract.DatabaseHealth.DueQueue;
import dev.ebb.contract.Finding;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Node;
import dev.ebb.contract.NodeList;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueStanding;
import dev.ebb.contract.StatsOverview;
import dev.ebb.core.health.Limit;
import dev.ebb.core.health.Plain;
import dev.ebb.core.health.Verdict;
import dev.ebb.db.errors.DeadHour;
import dev.ebb.db.queue.CertificateEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Finds what is wrong now in what the API answers, the worst first. */
final class Findings {
  /** Of so many queues or nodes in the same trouble each has a finding. */
  private static final int NAMED = 3;

  private static final int FEW = 20;
  private static final double MANY_FAIL = 0.2;

  private final List<Finding> found = new ArrayList<>();
  private final Instant now;

  Findings(Instant now) {
    this.now = now;
  }

  private static Finding warn(String code, String summary, String advice) {
    return new Finding(code, Verdict.WARN.word(), summary, advice, null, null);
  }

  private static Finding bad(String code, String summary, String advice) {
    return new Finding(code, Verdict.BAD.word(), summary, advice, null, null);
  }

  private static Finding ofQueue(String queue, Finding one) {
    return new Finding(one.code(), one.verdict(), one.summary(), one.advice(), queue, null);
  }

  private static Finding ofNode(String node, Finding one) {
    return new Finding(one.code(), one.verdict(), one.summary(), one.advice(), null, node);
  }

  /** The first of them one by one, the others by their number. */
  private <T> void each(List<T> all, Function<T, Finding> one, IntFunction<Finding> more) {
    all.stream().limit(NAMED).map(one).forEach(found::add);
    if (all.size() > NAMED) {
      found.add(more.apply(all.size() - NAMED));
    }
  }

  private static String more(int number, String one, String many) {
    return number == 1 ? "One more " + one : Plain.number(number) + " more " + many;
  }

  Findings nodes(NodeList nodes) {
    List<Node> workers =
        nodes.items().stream().filter(node -> node.isAlive() && node.isWorker()).toList();
    if (workers.isEmpty()) {
      found.add(
          bad(
              "no_worker",
              "No worker is running, so no job starts.",
              "Start a node with a worker."));
    } else if (workers.stream().allMatch(Node::isDraining)) {
      found.add(
          bad(
              "workers_draining",
              "Every worker is draining, so no job starts.",
              "Start another node, or undrain one."));
    }
    each(
        nodes.items().stream().filter(Node::isLost).toList(),
        this::lost,
        number ->
            warn(
                "nodes_lost",
                more(number, "node is lost.", "nodes are lost."),
                "Start them again, or let them expire in a day."));
    each(
        nodes.items().stream().filter(node -> node.isAlive() && node.suspectsNetwork()).toList(),
        Findings::suspected,
        number ->
            bad(
                "networks_suspected",
                more(number, "node suspects its network.", "nodes suspect their networks."),
                "Look at what they have in common."));
    return this;
  }

  /** Of the nodes that lack keys of secrets. */
  Findings secrets(NodeList nodes, LackingNodes lacking) {
    each(
        nodes.items().stream().filter(LackingNodes::isOne).toList(),
        lacking::finding,
        number ->
            bad(
                "secrets_keys_missing",
                more(number, "node cannot open all secrets.", "nodes cannot open all secrets."),
                "Give all nodes the same EBB_SECRETS_KEY."));
    return this;
  }

  private static Finding suspected(Node node) {
    return ofNode(
        node.id(),
        bad(
            "network_suspected",
            "Most destinations that node %s called in the last minute did not answer it."
                .formatted(node.id()),
            "Check its network and its resolver. No circuit opens for that, and no destination is"
                + " disabled."));
  }

  private Finding lost(Node node) {
    return ofNode(
        node.id(),
        warn(
            "node_lost",
            "Node %s sent its last heartbeat %s ago."
                .formatted(node.id(), Plain.length(Duration.between(node.heartbeatAt(), now))),
            "Other nodes have taken over its jobs. Start it again, or let it expire in a day."));
  }

  /**
   * Paused queues, the latest pause first.
   *
   * @param most how many were asked for: there may be more
   */
  Findings paused(List<Queue> queues, int most) {
    each(
        queues,
        this::paused,
        number ->
            warn(
                "queues_paused",
                (queues.size() < most ? "" : "At least ")
                    + more(number, "queue is paused.", "queues are paused."),
                "Resume them when the cause is gone."));
    return this;
  }

  private Finding paused(Queue queue) {
    Queue.Pause pause = queue.pause();
    StringBuilder sentence = new StringBuilder("Queue " + queue.name());
    if (pause == null || pause.since() == null) {
      sentence.append(" is paused");
    } else {
      Duration since = Duration.between(pause.since(), now);
      sentence.append(" has been paused for ").append(Plain.length(since));
    }
    if (pause != null) {
      sentence.append(pause.by() == null ? "" : " by " + pause.by());
      sentence.append(pause.until() == null ? "" : ", and resumes in " + until(pause.until()));
      sentence.append(pause.reason() == null ? "" : ": " + pause.reason());
    }
    return ofQueue(
        queue.name(),
        warn(
            "queue_paused",
            ended(sentence.toString()),
            "Resume it when the cause is gone. Its rate then rises slowly."));
  }

  private String until(Instant end) {
    Duration left = Duration.between(now, end);
    return Plain.length(left.isNegative() ? Duration.ZERO : left);
  }

  private static String ended(String sentence) {
    return sentence.matches("(?s).*[.!?]") ? sentence : sentence + ".";
  }

  /** Queues whose due jobs wait for long, though they are not paused; the latest first. */
  Findings late(List<DueQueue> due) {
    each(
        due.stream()
            .filter(one -> !one.paused() && Limit.DUE.of(one.age()) != Verdict.OK)
            .sorted(Comparator.comparing(DueQueue::age).reversed())
            .toList(),
        Findings::late,
        number ->
            warn(
                "queues_late",
                more(number, "queue is late.", "queues are late."),
                "A queue is late if a due job has waited for a minute."));
    return this;
  }

  private static Finding late(DueQueue queue) {
    String sentence =
        "The oldest due job of %s has been waiting for %s."
            .formatted(queue.queue(), Plain.length(queue.age()));
    String advice = "Open one to see why it is waiting.";
    return ofQueue(
        queue.queue(),
        Limit.DUE.of(queue.age()) == Verdict.WARN
            ? warn("queue_late", sentence, advice)
            : bad("queue_late", sentence, advice));
  }

  /** Queues whose rate throttling cut. */
  Findings limiters(Map<String, Limiter> limiters) {
    each(
        limiters.entrySet().stream().filter(one -> one.getValue().isCut()).toList(),
        one -> cut(one.getKey(), one.getValue()),
        number ->
            warn(
                "rates_cut",
                more(number, "queue has a throttled rate.", "queues have throttled rates."),
                "Rates recover by themselves."));
    return this;
  }

  /**
   * Open circuits, the oldest first.
   *
   * @param most how many were asked for: there may be more
   */
  Findings circuits(List<Circuit> open, int most) {
    each(
        open,
        this::open,
        number ->
            warn(
                "circuits_open",
                (open.size() < most ? "" : "At least ")
                    + more(number, "destination is failing.", "destinations are failing."),
                "Their jobs wait, and are tried one at a time."));
    return this;
  }

  private Finding open(Circuit circuit) {
    Duration since = Duration.between(requireNonNull(circuit.openSince()), now);
    if (circuit.disabledSince() != null) {
      return ofQueue(
          circuit.destination(),
          bad(
              "destination_disabled",
              "Destination %s is disabled%s. Its jobs are kept."
                  .formatted(
                      circuit.destination(),
                      circuit.reason() == null ? "" : ": it failed last with " + circuit.reason()),
              "Mend its address, or enable it when the merchant is back."));
    }
    return ofQueue(
        circuit.destination(),
        warn(
            "circuit_open",
            "Destination %s has been failing for %s%s."
                .formatted(
                    circuit.destination(),
                    Plain.length(since.isNegative() ? Duration.ZERO : since),
                    circuit.reason() == null ? "" : ", last with " + circuit.reason()),
            "Its jobs wait, and are tried one at a time, until it answers."));
  }

  /**
   * Client certificates that end soon or have ended, the first first.
   *
   * @param most how many were asked for: there may be more
   */
  Findings certificates(List<CertificateEnd> ends, int most) {
    each(
        ends,
        this::ends,
        number ->
            warn(
                "certificates_end",
                (ends.size() < most ? "" : "At least ")
                    + more(
                        number,
                        "client certificate ends within 30 days, or has ended.",
                        "client certificates end within 30 days, or have ended."),
                "Put new ones before they end."));
    return this;
  }

  private Finding ends(CertificateEnd end) {
    String whose = "The client certificate of destination " + end.destination();
    String advice = "Put a new one, which the next deliveries show.";
    Duration left = Duration.between(now, end.at());
    return ofQueue(
        end.destination(),
        left.isPositive()
            ? warn("certificate_ends", whose + " ends in " + Plain.length(left) + ".", advice)
            : bad(
                "certificate_ends",
                whose + " ended " + Plain.length(left.negated()) + " ago.",
                advice));
  }

  private static Finding cut(String queue, Limiter limiter) {
    return ofQueue(
        queue,
        warn(
            "rate_cut",
            "The receiver of queue %s throttles: its full rate is %s instead of %s jobs a second."
                .formatted(
                    queue, Plain.rate(limiter.stableRate()), Plain.rate(limiter.configuredRate())),
            "The rate recovers by itself. If this keeps happening, lower the rate limit."));
  }

  /** What died in the last hour. */
  Findings deadLetters(DeadHour hour) {
    new RecentDead(hour)
        .sentence()
        .ifPresent(sentence ->
            found.add(
                warn(
                    "dead_letters",
                    sentence,
                    "Fix the common cause, then redrive them in stages.")));
    return this;
  }

  /** What was counted in the last minutes. */
  Findings counts(StatsOverview overview) {
    QueueStanding all = overview.all();
    long failed = all.of(5, "failed") + all.of(5, "throttled");
    long ended = failed + all.of(5, "completed");
    if (ended >= FEW && failed > MANY_FAIL * ended) {
      found.add(
          warn(
              "attempts_failing",
              "%s %% of attempts failed in the last 5 minutes."
                  .formatted(Plain.rate(100.0 * failed / ended)),
              "Look for a common cause among the failing jobs."));
    }
    if (!overview.complete()) {
      found.add(
          warn(
              "statistics_behind",
              "The statistics end %s ago."
                  .formatted(Plain.length(Duration.between(overview.asOf(), now))),
              "Workers update them. If they stay behind, check the workers' logs."));
    }
    return this;
  }

  /**
   * What is bad with the database, and a clock that is off; queues that are late have their own.
   */
  Findings database(DatabaseHealth health) {
    health.wrong().stream()
        .filter(one -> one.isBad() ? !one.code().equals("oldest_due") : isClock(one))
        .forEach(one ->
            found.add(
                new Finding(
                    one.code(),
                    one.verdict(),
                    one.summary(),
                    Objects.requireNonNullElse(one.advice(), ""),
                    null,
                    null)));
    return this;
  }

  private static boolean isClock(DatabaseFinding finding) {
    return finding.code().equals("clock_skew");
  }

  /** All of them, the worst first. */
  List<Finding> all() {
    return found.stream().sorted(Comparator.comparingInt(one -> one.isBad() ? 0 : 1)).toList();
  }
}
