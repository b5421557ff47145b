package dev.ebb.api;

import dev.ebb.api.server.AnswerHeaders;
import dev.ebb.api.server.Drain;
import dev.ebb.api.system.ProcessState;
import dev.ebb.db.connection.Database;
import dev.ebb.db.start.StartWatch;
import dev.ebb.db.trace.Traces;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.ApplicationContextException;

/**
 * The running API.
 *
 * <p>It starts from {@link ApiParts} and the mounts alone: no component scan, no
 * auto-configuration, no configuration file, no environment variable.
 */
public final class EbbApi implements AutoCloseable {
  private final AnnotationConfigServletWebServerApplicationContext context;
  private final Drain drain;
  private final ApiParts parts;
  private final MeterRegistry meters;
  private final int port;
  private final int healthPort;

  private EbbApi(
      AnnotationConfigServletWebServerApplicationContext context, Drain drain, ApiParts parts) {
    this.context = context;
    this.drain = drain;
    this.parts = parts;
    this.meters = context.getBean(MeterRegistry.class);
    Connector[] connectors = connectors(context);
    this.port = connectors[0].getLocalPort();
    this.healthPort = connectors[connectors.length - 1].getLocalPort();
  }

  /**
   * Starts to listen. The database need not answer yet; it stays the caller's to close.
   *
   * @throws IllegalStateException if the port is taken
   */
  public static EbbApi start(ApiConfig config, Database database) {
    return start(config, database, () -> true);
  }

  /** The same as a part of something larger, which has no trouble once it has started. */
  public static EbbApi start(
      ApiConfig config, Database database, BooleanSupplier started, Mount... mounts) {
    return start(config, database, ProcessState.of(started), mounts);
  }

  /**
   * Starts to listen, as a part of something larger.
   *
   * @param standing of the rest of it: until it has started, {@code /startupz} and {@code /readyz}
   *     say no, and {@code /readyz} later too while it has trouble
   * @param mounts of other modules
   * @throws IllegalStateException if the port is taken
   */
  public static EbbApi start(
      ApiConfig config, Database database, ProcessState standing, Mount... mounts) {
    return start(config, database, standing, OpenTelemetry.noop(), mounts);
  }

  /** The same, whose submits are traced. */
  public static EbbApi start(
      ApiConfig config,
      Database database,
      ProcessState standing,
      OpenTelemetry telemetry,
      Mount... mounts) {
    List<Mount> mounted = List.of(mounts);
    Drain drain = new Drain();
    AnswerHeaders answerHeaders = new AnswerHeaders(headers(mounted), drain);
    var context = new AnnotationConfigServletWebServerApplicationContext();
    List<Object> server = List.of(answerHeaders, drain, standing, Traces.of(telemetry));
    ApiParts parts = ApiParts.of(database, config, server);
    parts.register(context);
    for (Mount mount : mounted) {
      context.register(mount.classes().toArray(Class<?>[]::new));
    }
    try {
      refresh(context, config);
      return new EbbApi(context, drain, parts);
    } catch (RuntimeException e) {
      close(context, parts);
      throw e;
    }
  }

  private static Map<String, Map<String, String>> headers(List<Mount> mounts) {
    return mounts.stream().collect(Collectors.toMap(Mount::path, Mount::headers));
  }

  private static void refresh(
      AnnotationConfigServletWebServerApplicationContext context, ApiConfig config) {
    try {
      context.refresh();
      context.getBean(StartWatch.class).start();
    } catch (ApplicationContextException | PortInUseException e) {
      if (e instanceof PortInUseException || e.getCause() instanceof PortInUseException) {
        String ports =
            config.port() + (config.healthPort() == null ? "" : " and " + config.healthPort());
        throw new IllegalStateException(
            "cannot listen on " + config.host() + ":" + ports + ": in use", e);
      }
      throw e;
    }
  }

  /** The port that it listens on, or listened on before it was closed. */
  public int port() {
    return port;
  }

  /** The port where it answers probes and metrics: the same, unless they have one of their own. */
  public int healthPort() {
    return healthPort;
  }

  private static Connector[] connectors(
      AnnotationConfigServletWebServerApplicationContext context) {
    if (context.getWebServer() instanceof TomcatWebServer server) {
      return server.getTomcat().getService().findConnectors();
    }
    throw new IllegalStateException("closed");
  }

  /** What {@code /metrics} shows: a worker in the same JVM may put its own meters here. */
  public MeterRegistry meters() {
    return meters;
  }

  /**
   * Begins to stop: from now on {@code /readyz} says no, and each answer ends its connection. All
   * requests are served until {@link #stopListening}.
   */
  public void drain() {
    drain.begin();
  }

  /**
   * Closes the port to new connections. Those that stand are served until {@link #close}, as is a
   * port of their own for probes and metrics.
   */
  public void stopListening() {
    // Not paused: that would end an idle connection at its next request, without an answer.
    connectors(context)[0].getProtocolHandler().closeServerSocketGraceful();
  }

  /** Refuses new requests, waits a few seconds for those under way, and stops. */
  @Override
  public void close() {
    close(context, parts);
  }

  private static void close(
      AnnotationConfigServletWebServerApplicationContext context, ApiParts parts) {
    context.close();
    parts.close();
  }
}
