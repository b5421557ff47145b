package dev.ebb.api;

import dev.ebb.api.access.Callers;
import dev.ebb.api.access.PayloadMask;
import dev.ebb.api.access.TokensController;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobVerbsController;
import dev.ebb.api.jobs.JobWaits;
import dev.ebb.api.jobs.JobsController;
import dev.ebb.api.jobs.SubmitController;
import dev.ebb.api.policies.PoliciesController;
import dev.ebb.api.queues.QueuesController;
import dev.ebb.api.server.AnswerHeaders;
import dev.ebb.api.system.SystemController;
import dev.ebb.db.JobQueue;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.connection.Database;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.submit.Submitter;
import dev.ebb.db.view.JobReads;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
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
 * <p>It starts from this list of classes and these values alone: no component scan, no
 * auto-configuration, no configuration file, no environment variable.
 */
public final class EbbApi implements AutoCloseable {
  static final Class<?>[] CLASSES = {
    WebConfiguration.class,
    JobAnswers.class,
    JobWaits.class,
    SubmitController.class,
    JobsController.class,
    JobVerbsController.class,
    QueuesController.class,
    PoliciesController.class,
    TokensController.class,
    SystemController.class
  };

  private final AnnotationConfigServletWebServerApplicationContext context;
  private final Submitter submitter;

  private EbbApi(AnnotationConfigServletWebServerApplicationContext context, Submitter submitter) {
    this.context = context;
    this.submitter = submitter;
  }

  /**
   * Starts to listen. The database need not answer yet; it and the notifier stay the caller's to
   * close.
   *
   * @throws IllegalStateException if the port is taken
   */
  public static EbbApi start(ApiConfig config, Database database, Notifier notifier) {
    return start(config, database, notifier, () -> true);
  }

  /**
   * Starts to listen, as a part of something larger.
   *
   * @param started whether the rest of it has: until then {@code /readyz} says no
   * @param mounts of other modules
   * @throws IllegalStateException if the port is taken
   */
  public static EbbApi start(
      ApiConfig config,
      Database database,
      Notifier notifier,
      BooleanSupplier started,
      Mount... mounts) {
    AnswerHeaders answerHeaders = new AnswerHeaders(headers(mounts));
    var context = new AnnotationConfigServletWebServerApplicationContext();
    var submitter = new Submitter(database, notifier);
    Tokens tokens = new Tokens(database);
    List.of(
            config,
            answerHeaders,
            notifier,
            started,
            submitter,
            new JobQueue(database),
            new JobReads(database),
            new Queues(database),
            new Limiters(database),
            tokens,
            new Callers(config.access(), tokens),
            new PayloadMask(config.access()),
            new Bodies(config.limits().maxBodyBytes(), config.limits().maxBatchBytes()))
        // Beans that are registered this way are not closed with the context.
        .forEach(
            value -> context.getBeanFactory().registerSingleton(value.getClass().getName(), value));
    context.register(CLASSES);
    for (Mount mount : mounts) {
      context.register(mount.classes().toArray(Class<?>[]::new));
    }
    EbbApi api = new EbbApi(context, submitter);
    try {
      refresh(context, config);
      return api;
    } catch (RuntimeException e) {
      api.close();
      throw e;
    }
  }

  private static Map<String, Map<String, String>> headers(Mount... mounts) {
    return Arrays.stream(mounts).collect(Collectors.toMap(Mount::path, Mount::headers));
  }

  private static void refresh(
      AnnotationConfigServletWebServerApplicationContext context, ApiConfig config) {
    try {
      context.refresh();
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

  /** The port that it listens on. */
  public int port() {
    return connectors()[0].getLocalPort();
  }

  /** The port where it answers probes and metrics: the same, unless they have one of their own. */
  public int healthPort() {
    Connector[] connectors = connectors();
    return connectors[connectors.length - 1].getLocalPort();
  }

  private Connector[] connectors() {
    if (context.getWebServer() instanceof TomcatWebServer server) {
      return server.getTomcat().getService().findConnectors();
    }
    throw new IllegalStateException("closed");
  }

  /** What {@code /metrics} shows: a worker in the same JVM may put its own meters here. */
  public MeterRegistry meters() {
    return context.getBean(MeterRegistry.class);
  }

  /** Refuses new requests, waits a few seconds for those under way, and stops. */
  @Override
  public void close() {
    context.close();
    submitter.close();
  }
}
