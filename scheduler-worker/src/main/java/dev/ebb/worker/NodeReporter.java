package dev.ebb.worker;

import dev.ebb.db.connection.Storing;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.node.Heartbeat;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.Nodes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells that this node lives, and learns whether it is to drain. */
final class NodeReporter {
  private static final Logger LOG = LoggerFactory.getLogger(NodeReporter.class);

  private final Nodes nodes;
  private final NodeFacts facts;
  private final Supplier<Load> load;
  private final Consumer<Heartbeat.Answer> onAnswer;
  private final InstantSource clock;
  private volatile boolean closing;
  private volatile boolean opensNone;
  private List<String> missingKeys = List.of();
  private boolean draining;
  private @Nullable Duration skew;

  /** How many jobs the node runs, and whether it suspects its own network. */
  record Load(int inFlight, boolean networkSuspected) {
    static final Load NONE = new Load(0, false);
  }

  /**
   * A reporter that has told nothing yet.
   *
   * @param onAnswer told the answer to each heartbeat
   * @param clock this machine's, to be compared with the database's
   */
  NodeReporter(
      Nodes nodes,
      NodeFacts facts,
      Supplier<Load> load,
      Consumer<Heartbeat.Answer> onAnswer,
      InstantSource clock) {
    this.nodes = nodes;
    this.facts = facts;
    this.load = load;
    this.onAnswer = onAnswer;
    this.clock = clock;
  }

  /** Tells once, and answers when to tell again: at once, where the clocks were not known yet. */
  Duration step() throws SQLException {
    return nodes.storing().beat(this::beat);
  }

  private Duration beat() throws SQLException {
    boolean isFirst = skew == null;
    Instant asked = clock.instant();
    Heartbeat.Answer answer = tell();
    Duration half = Duration.between(asked, clock.instant()).dividedBy(2);
    skew = Duration.between(answer.now(), asked.plus(half));
    draining = answer.draining();
    heard(answer.missingKeys());
    opensNone = answer.opensNone() && (isFirst || opensNone);
    onAnswer.accept(answer);
    // Waits for everything that a submit's commit waits for: a heartbeat's does not.
    nodes.proveCommit();
    return isFirst ? Duration.ZERO : Nodes.BEAT_EVERY;
  }

  private void heard(List<String> missing) {
    if (!missing.equals(missingKeys)) {
      if (missing.isEmpty()) {
        LOG.info("this node has all keys of secrets again");
      } else {
        LOG.error(
            "secrets are stored that this node cannot open: its EBB_SECRETS_KEY does not contain"
                + " {}{}",
            (missing.size() == 1 ? "the key " : "the keys ") + String.join(", ", missing),
            facts.hasWorker() ? "; it gives back the deliveries that need them" : "");
      }
      missingKeys = missing;
    }
  }

  /**
   * Why nothing can be stored, or no secret opened, for people; {@code null} if it can, or is not
   * known yet. A node that could open some when it started stays ready: what another one with a
   * wrong key seals must not stop all.
   *
   * @param reporting the loop of this reporter
   */
  @Nullable String trouble(Loop reporting) {
    String failure = reporting.failure();
    if (failure != null) {
      return failure;
    }
    Storing.Trouble trouble = nodes.storing().trouble();
    if (trouble != null) {
      return "nothing is stored: " + trouble.why();
    }
    return opensNone ? withoutKey() : null;
  }

  private String withoutKey() {
    List<String> own = facts.secretsKeys();
    return own == null || own.isEmpty()
        ? "this node has no EBB_SECRETS_KEY, but secrets are stored"
        : "no key in this node's EBB_SECRETS_KEY opens a stored secret";
  }

  private Heartbeat.Answer tell() throws SQLException {
    if (skew != null) {
      Load now = load.get();
      Heartbeat beat = new Heartbeat(now.inFlight(), skew, closing, now.networkSuspected());
      Optional<Heartbeat.Answer> answer = nodes.beat(facts, beat);
      if (answer.isPresent()) {
        return answer.get();
      }
    }
    return nodes.start(facts, draining);
  }

  /** Has the next heartbeat say that the process is ending. */
  void closing() {
    closing = true;
  }

  /** Tells that the node has stopped; one that cannot will be seen as lost. */
  void stopped() {
    try {
      nodes.stop(facts.name());
    } catch (SQLException e) {
      LOG.warn("the database does not hear that this node stops: {}", e.getMessage());
    }
  }
}
