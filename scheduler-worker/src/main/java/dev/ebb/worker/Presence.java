package dev.ebb.worker;

import static java.util.stream.Collectors.toSet;

import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.node.Heartbeat;
import dev.ebb.db.node.IdentityWatch;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.Nodes;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
        config.concurrency(),
        secretsKeys(handlers.values()));
  }

  /** The keys that every handler has which opens secrets; {@code null} where none does. */
  private static @Nullable List<String> secretsKeys(Collection<Handler> handlers) {
    return handlers.stream()
        .map(Handler::secretsKeys)
        .filter(Objects::nonNull)
        .map(Set::copyOf)
        .reduce((one, other) -> one.stream().filter(other::contains).collect(toSet()))
        .map(List::copyOf)
        .orElse(null);
  }

  private static NodeFacts factsWithoutWorker(String settings, List<String> secretsKeys) {
    return new NodeFacts(
        WorkerConfig.uniqueName(),
        version(),
        SettingsHash.of(settings),
        List.of(),
        List.of(),
        0,
        secretsKeys);
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
   * @param secretsKeys the ids of the keys by which it opens stored secrets
   */
  public static Presence start(
      Database database, String settings, List<String> secretsKeys, MeterRegistry registry) {
    FailureLog failureLog = new FailureLog(registry);
    NodeFacts facts = factsWithoutWorker(settings, secretsKeys);
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

  /** Why nothing can be stored now, or no secret opened, for people; {@code null} if it can. */
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
