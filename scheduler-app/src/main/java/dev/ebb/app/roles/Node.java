package dev.ebb.app.roles;

import dev.ebb.api.ApiConfig;
import dev.ebb.api.EbbApi;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.api.system.ProcessState;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.core.http.ServedHosts;
import dev.ebb.cron.ScheduleRunner;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.connection.Database;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.schema.Retention;
import dev.ebb.ui.Dashboard;
import dev.ebb.worker.Handler;
import dev.ebb.worker.Presence;
import dev.ebb.worker.Worker;
import dev.ebb.worker.WorkerConfig;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a cluster that one process runs; each is closed with the process's lifetime. */
public final class Node {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  /** The pools of connections. */
  private static final String API = "api";

  private static final String WORKER = "worker";

  private final Settings settings;
  private final Lifetime lifetime;
  private final OpenTelemetry telemetry;
  private final Database database;
  private final DatabaseWait wait;

  /** What keeps the node from its work; nothing of it is known before the worker runs. */
  private volatile Supplier<@Nullable String> trouble = () -> null;

  private volatile boolean isStarted;

  private Node(Settings settings, Lifetime lifetime, String pool) {
    this.settings = settings;
    this.lifetime = lifetime;
    TraceExport traces = lifetime.add(TraceExport.start(settings));
    lifetime.onHurry(traces::hurry);
    this.telemetry = traces.telemetry();
    this.database = lifetime.add(Database.open(settings.database(), pool));
    this.wait = lifetime.add(new DatabaseWait(settings, database));
    // A node that can never use its database must not even listen.
    wait.look();
  }

  /** Starts the API, and a worker once the database answers; answers their database. */
  public static Database startServer(Settings settings, Lifetime lifetime)
      throws InterruptedException {
    TemporaryFolder.require();
    Ports.requireKept(settings);
    Ports.requireFree(settings);
    Node node = new Node(settings, lifetime, API);
    EbbApi api = node.api();
    NodeDrain drain = node.drain(api);
    if (node.wait.untilUsable()) {
      node.warnOfAccess();
      // A pool of its own: a flood of requests must not keep a lease from being renewed.
      Database pool = lifetime.add(node.database.sibling(WORKER));
      pool.meter(api.meters());
      Worker worker = node.worker(pool, api.meters(), drain);
      lifetime.add(drain);
      // Whether the database answers, the API asks by itself.
      node.trouble = worker::lastingTrouble;
      node.isStarted = true;
    }
    return node.database;
  }

  /** Starts the API, and returns once the database answers. */
  public static void startApi(Settings settings, Lifetime lifetime) throws InterruptedException {
    TemporaryFolder.require();
    Ports.requireKept(settings);
    Ports.requireFree(settings);
    Node node = new Node(settings, lifetime, API);
    EbbApi api = node.api();
    NodeDrain drain = node.drain(api);
    if (node.wait.untilUsable()) {
      node.warnOfAccess();
      Presence presence =
          lifetime.add(
              Presence.start(
                  node.database,
                  node.apiConfig().toString(),
                  node.settings.secrets().ids(),
                  api.meters()));
      drain.add(presence::drain);
      node.trouble = presence::trouble;
      lifetime.add(drain);
      node.isStarted = true;
    }
  }

  /** Starts a port for health and metrics, and a worker once the database answers. */
  public static void startWorker(Settings settings, Lifetime lifetime) throws InterruptedException {
    Ports.requireFreeOfWorker(settings);
    Node node = new Node(settings, lifetime, WORKER);
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    node.lifetime.add(jvmMeters(meters));
    node.database.meter(meters);
    NodeDrain drain = node.drain(null);
    node.healthPort(meters, drain);
    if (node.wait.untilUsable()) {
      Worker worker = node.worker(node.database, meters, drain);
      lifetime.add(drain);
      node.trouble = worker::trouble;
      node.isStarted = true;
    }
  }

  /** Memory and garbage collection, as an API shows them. */
  private static JvmGcMetrics jvmMeters(MeterRegistry meters) {
    JvmGcMetrics gc = new JvmGcMetrics();
    gc.bindTo(meters);
    new JvmMemoryMetrics().bindTo(meters);
    return gc;
  }

  private NodeDrain drain(@Nullable EbbApi api) {
    NodeDrain drain = new NodeDrain(settings.shutdownDelay(), api);
    lifetime.onHurry(drain::hurry);
    return drain;
  }

  private void healthPort(PrometheusMeterRegistry meters, NodeDrain drain) {
    int port = settings.healthPort().orElse(settings.httpPort());
    try {
      lifetime.add(
          HealthPort.start(
              settings.httpHost(),
              port,
              ServedHosts.of(settings.httpHost(), settings.httpNames()),
              new HealthPort.Health(
                  () -> isStarted,
                  () -> isStarted ? trouble.get() : "database unavailable",
                  drain::hasBegun),
              meters::scrape));
    } catch (IOException taken) {
      throw taken(port);
    }
    LOG.info("health and metrics on {}:{}", settings.httpHost(), port);
  }

  private EbbApi api() {
    EbbApi api = lifetime.add(listen());
    database.meter(api.meters());
    LOG.info("API on {}:{}", settings.httpHost(), api.port());
    return api;
  }

  private EbbApi listen() {
    try {
      return EbbApi.start(
          apiConfig(),
          database,
          new Probed(),
          telemetry,
          Dashboard.MOUNT,
          Dashboard.DOCS,
          Dashboard.SHARE);
    } catch (IllegalStateException taken) {
      throw taken(settings.httpPort());
    }
  }

  /** What the API's probes tell of this node. */
  private final class Probed implements ProcessState {
    @Override
    public boolean isStarted() {
      return isStarted;
    }

    @Override
    public @Nullable String trouble() {
      return trouble.get();
    }
  }

  private ApiConfig apiConfig() {
    OptionalInt healthPort = settings.healthPort();
    return ApiConfig.of(settings.httpHost(), settings.httpPort())
        .withNames(settings.httpNames())
        .withAccess(settings.access())
        .withSecrets(settings.secrets())
        .withLimits(ApiConfig.Limits.defaults().withKeepAlive(settings.keepAlive()))
        .withHealthPort(healthPort.isPresent() ? healthPort.getAsInt() : null);
  }

  /** An API that serves everybody or nobody is seldom meant. */
  private void warnOfAccess() {
    AccessConfig access = settings.access();
    if (access.readOnly()) {
      LOG.warn("EBB_READ_ONLY=true: the API refuses every change");
    }
    if (access.open()) {
      LOG.warn("EBB_AUTH=off: anybody who reaches the API may do anything");
    } else if (access.adminToken() == null && !hasToken()) {
      LOG.warn("there is no token yet: make one with ./ebb token create NAME admin");
    }
  }

  private boolean hasToken() {
    try {
      return !new Tokens(database).live().isEmpty();
    } catch (SQLException e) {
      return true;
    }
  }

  /** Somebody else took the port after it was found free. */
  private static CannotStart taken(int port) {
    return CannotStart.unable(
        "Port " + port + " is taken: set EBB_HTTP_PORT, or EBB_HEALTH_PORT if it is that one.");
  }

  private Worker worker(Database database, MeterRegistry meters, NodeDrain drain) {
    HttpHandler http =
        lifetime.add(
            new HttpHandler(
                HttpHandlerConfig.defaults()
                    .withAllow(settings.deliveryAllow())
                    .withLongestTimeout(settings.deliveryTimeout())
                    .withProxy(settings.deliveryProxy())
                    .withConcurrency(settings.concurrency()),
                settings.secrets()));
    WorkerConfig config =
        WorkerConfig.defaults()
            .withQueues(settings.queues().isEmpty() ? null : settings.queues())
            .withConcurrency(settings.concurrency())
            .withLease(settings.lease())
            .withDrainTimeout(settings.drain())
            .withRetention(new Retention(settings.historyDays(), settings.attemptDays()));
    Map<String, Handler> handlers = Map.of(DeliveryJson.KIND, http);
    Worker worker = drain.add(Worker.start(database, config, handlers, meters, telemetry));
    lifetime.onHurry(worker::hurry);
    LOG.info(
        "worker {} serves {}",
        worker.node(),
        settings.queues().isEmpty() ? "all queues" : settings.queues());
    if (settings.firesSchedules()) {
      drain.add(ScheduleRunner.start(database, worker.node(), meters));
    }
    return worker;
  }
}
