package dev.ebb.worker;

import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.node.IdentityWatch;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.Nodes;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells that a process lives which runs no worker, as {@link Worker} tells of its own, and shows in
 * its metrics how the queues stand where no other node does.
 */
public final class Presence implements AutoCloseable {
  private final NodeReporter reporter;
  private final Loop reporting;
  private final QueueGauges gauges;
  private final IdentityWatch identity;

  private Presence(Database database, String settings, MeterRegistry registry) {
    NodeFacts facts =
        new NodeFacts(
            WorkerConfig.uniqueName(),
            Worker.version(),
            SettingsHash.of(settings),
            List.of(),
            List.of(),
            0);
    this.reporter =
        new NodeReporter(new Nodes(database), facts, () -> 0, _ -> {}, InstantSource.system());
    FailureLog failureLog = new FailureLog(registry);
    this.reporting = new Loop("reporter", failureLog, reporter::step);
    this.gauges = new QueueGauges(database, facts.name(), registry, failureLog);
    this.identity = new IdentityWatch(database, registry, failureLog);
  }

  /**
   * Begins to tell.
   *
   * @param database stays the caller's, and must be open until this is closed
   * @param settings as text, of which a hash is told
   */
  public static Presence start(Database database, String settings, MeterRegistry registry) {
    Presence presence = new Presence(database, settings, registry);
    presence.reporting.start();
    presence.gauges.start();
    presence.identity.start();
    return presence;
  }

  /** Why nothing can be stored now, for people; {@code null} if it can. */
  public @Nullable String trouble() {
    return reporter.trouble(reporting);
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
