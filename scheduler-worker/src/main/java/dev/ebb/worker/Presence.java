package dev.ebb.worker;

import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.node.Heartbeat;
import dev.ebb.db.node.IdentityWatch;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.Nodes;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process as one of the cluster's nodes: tells that it lives, learns whether it is to drain,
 * shows in its metrics how the queues stand where no other node does, and watches which server has
 * the database.
 */
public final class Presence implements AutoCloseable {
  private final NodeReporter reporter;
  private final Loop reporting;
  private final QueueGauges gauges;
  private final IdentityWatch identity;

  /**
   * One that has told nothing yet.
   *
   * @param onAnswer told the answer to each heartbeat
   */
  Presence(
      Database database,
      NodeFacts facts,
      Supplier<NodeReporter.Load> load,
      Consumer<Heartbeat.Answer> onAnswer,
      MeterRegistry registry,
      FailureLog failureLog) {
    this.reporter =
        new NodeReporter(new Nodes(database), facts, load, onAnswer, InstantSource.system());
    this.reporting = new Loop("reporter", failureLog, reporter::step);
    this.gauges = new QueueGauges(database, facts.name(), registry, failureLog);
    this.identity = new IdentityWatch(database, registry, failureLog);
  }

  /** What a worker tells of itself. */
  static NodeFacts facts(WorkerConfig config, Map<String, Handler> handlers) {
    List<String> queues = config.queues();
    return new NodeFacts(
        config.node(),
        version(),
        SettingsHash.of(config, handlers),
        queues == null ? List.of() : queues,
        handlers.keySet().stream().sorted().toList(),
        config.concurrency());
  }

  private static NodeFacts factsWithoutWorker(String settings) {
    return new NodeFacts(
        WorkerConfig.uniqueName(), version(), SettingsHash.of(settings), List.of(), List.of(), 0);
  }

  private static String version() {
    String version = Presence.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }

  /**
   * Begins to tell of a process that runs no worker.
   *
   * @param database stays the caller's, and must be open until this is closed
   * @param settings as text, of which a hash is told
   */
  public static Presence start(Database database, String settings, MeterRegistry registry) {
    FailureLog failureLog = new FailureLog(registry);
    NodeFacts facts = factsWithoutWorker(settings);
    Presence presence =
        new Presence(database, facts, () -> NodeReporter.Load.NONE, _ -> {}, registry, failureLog);
    presence.start();
    return presence;
  }

  void start() {
    reporting.start();
    gauges.start();
    identity.start();
  }

  /** Why nothing can be stored now, for people; {@code null} if it can. */
  public @Nullable String trouble() {
    return reporter.trouble(reporting);
  }

  /** Has it tell and ask at once. */
  void wake() {
    reporting.wake();
  }

  /** Tells that the process is about to stop. */
  public void drain() {
    reporter.closing();
    reporting.wake();
  }

  /** Tells that the process has stopped. */
  @Override
  public void close() {
    gauges.close();
    identity.close();
    reporting.close();
    reporter.stopped();
  }
}
