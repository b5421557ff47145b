package dev.ebb.api;

import dev.ebb.api.access.Callers;
import dev.ebb.api.access.PayloadMask;
import dev.ebb.api.access.TokensController;
import dev.ebb.api.audit.AuditController;
import dev.ebb.api.database.DatabaseController;
import dev.ebb.api.database.DatabaseReports;
import dev.ebb.api.docs.DocsPages;
import dev.ebb.api.errors.ErrorGroupsController;
import dev.ebb.api.events.EventReader;
import dev.ebb.api.events.EventsController;
import dev.ebb.api.forecast.ForecastController;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.inside.Rest;
import dev.ebb.api.jobs.Arrivals;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobAuditController;
import dev.ebb.api.jobs.JobBodies;
import dev.ebb.api.jobs.JobEditsController;
import dev.ebb.api.jobs.JobHoldsController;
import dev.ebb.api.jobs.JobNotesController;
import dev.ebb.api.jobs.JobTemplates;
import dev.ebb.api.jobs.JobVerbsController;
import dev.ebb.api.jobs.JobWaits;
import dev.ebb.api.jobs.JobsController;
import dev.ebb.api.jobs.SubmitController;
import dev.ebb.api.jobs.SubmitPreviewController;
import dev.ebb.api.jobs.SubmitPreviews;
import dev.ebb.api.jobs.WaitingController;
import dev.ebb.api.nodes.NodesController;
import dev.ebb.api.operations.OperationController;
import dev.ebb.api.operations.OperationWaits;
import dev.ebb.api.operations.OperationsController;
import dev.ebb.api.policies.NamedPolicies;
import dev.ebb.api.policies.PoliciesController;
import dev.ebb.api.policies.Previews;
import dev.ebb.api.queues.LimiterController;
import dev.ebb.api.queues.QueueJobsController;
import dev.ebb.api.queues.QueueVerbsController;
import dev.ebb.api.queues.QueuesController;
import dev.ebb.api.schedules.FiresController;
import dev.ebb.api.schedules.ScheduleAnswers;
import dev.ebb.api.schedules.ScheduleVerbsController;
import dev.ebb.api.schedules.SchedulesController;
import dev.ebb.api.server.AnswerHeaders;
import dev.ebb.api.server.Drain;
import dev.ebb.api.start.StartController;
import dev.ebb.api.stats.StatsController;
import dev.ebb.api.system.Standing;
import dev.ebb.api.system.SystemController;
import dev.ebb.db.JobChanges;
import dev.ebb.db.JobQueue;
import dev.ebb.db.access.SessionKeys;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.audit.AuditReads;
import dev.ebb.db.audit.JobNotes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.errors.ErrorGroups;
import dev.ebb.db.event.EventLog;
import dev.ebb.db.forecast.AttemptCounts;
import dev.ebb.db.forecast.Forecasts;
import dev.ebb.db.health.DatabaseHealth;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.operation.Operations;
import dev.ebb.db.policy.Policies;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueDepths;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.queue.RunningJobs;
import dev.ebb.db.schedule.Schedules;
import dev.ebb.db.start.PausedStart;
import dev.ebb.db.start.StartWatch;
import dev.ebb.db.stats.OverviewReads;
import dev.ebb.db.stats.StatReads;
import dev.ebb.db.submit.Acknowledgements;
import dev.ebb.db.submit.LostJobs;
import dev.ebb.db.submit.Submitter;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.waiting.Waits;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    Arrivals.class,
    Previews.class,
    SubmitPreviews.class,
    JobBodies.class,
    JobTemplates.class,
    JobWaits.class,
    SubmitController.class,
    SubmitPreviewController.class,
    JobsController.class,
    JobVerbsController.class,
    JobHoldsController.class,
    JobEditsController.class,
    JobAuditController.class,
    JobNotesController.class,
    WaitingController.class,
    ErrorGroupsController.class,
    QueuesController.class,
    QueueVerbsController.class,
    QueueJobsController.class,
    LimiterController.class,
    ForecastController.class,
    ScheduleAnswers.class,
    SchedulesController.class,
    ScheduleVerbsController.class,
    FiresController.class,
    PoliciesController.class,
    TokensController.class,
    AuditController.class,
    NodesController.class,
    StartController.class,
    DatabaseReports.class,
    DatabaseController.class,
    OperationsController.class,
    OperationController.class,
    OperationWaits.class,
    StatsController.class,
    EventReader.class,
    EventsController.class,
    SystemController.class,
    Rest.class
  };

  private static final Mount DOCS =
      new Mount(DocsPages.PATH, DocsPages.HEADERS, List.of(DocsPages.class));

  private final AnnotationConfigServletWebServerApplicationContext context;
  private final Drain drain;
  private final Parts parts;

  private EbbApi(
      AnnotationConfigServletWebServerApplicationContext context, Drain drain, Parts parts) {
    this.context = context;
    this.drain = drain;
    this.parts = parts;
  }

  /** What works beside the requests, and is closed behind them. */
  private record Parts(
      Notifier notifier,
      Submitter submitter,
      QueueDepths depths,
      StartWatch startWatch,
      Acknowledgements acknowledgements) {

    static Parts of(Database database, MeterRegistry meters, FailureLog failureLog) {
      Notifier notifier = new Notifier(database, failureLog);
      return new Parts(
          notifier,
          new Submitter(database, notifier),
          new QueueDepths(database, failureLog),
          new StartWatch("start watch", database, meters, failureLog, _ -> {}),
          new Acknowledgements(database, meters, failureLog));
    }

    Stream<Object> all() {
      return Stream.of(notifier, submitter, depths, startWatch, acknowledgements);
    }

    void close() {
      submitter.close();
      notifier.close();
      depths.close();
      startWatch.close();
      acknowledgements.close();
    }
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
    return start(config, database, Standing.of(started), mounts);
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
      ApiConfig config, Database database, Standing standing, Mount... mounts) {
    List<Mount> mounted = Stream.concat(Stream.of(DOCS), Stream.of(mounts)).toList();
    Drain drain = new Drain();
    AnswerHeaders answerHeaders = new AnswerHeaders(headers(mounted), drain);
    var context = new AnnotationConfigServletWebServerApplicationContext();
    Tokens tokens = new Tokens(database);
    Policies policies = new Policies(database);
    MeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    FailureLog failureLog = new FailureLog(meters);
    Parts parts = Parts.of(database, meters, failureLog);
    List<Object> values =
        List.of(
            config,
            answerHeaders,
            drain,
            standing,
            meters,
            failureLog,
            config.streams(),
            policies,
            new NamedPolicies(policies),
            tokens,
            new Callers(config.access(), tokens, new SessionKeys(database)),
            new PayloadMask(config.access()),
            new Bodies(
                config.limits().maxBodyBytes(),
                config.limits().maxBatchBytes(),
                config.limits().bodyTime()));
    Stream.of(stores(database), parts.all(), values.stream())
        .flatMap(each -> each)
        // Beans that are registered this way are not closed with the context.
        .forEach(
            value -> context.getBeanFactory().registerSingleton(value.getClass().getName(), value));
    context.register(CLASSES);
    for (Mount mount : mounted) {
      context.register(mount.classes().toArray(Class<?>[]::new));
    }
    EbbApi api = new EbbApi(context, drain, parts);
    try {
      refresh(context, config);
      return api;
    } catch (RuntimeException e) {
      api.close();
      throw e;
    }
  }

  /** What reads and writes the database, and needs nothing else. */
  private static Stream<Object> stores(Database database) {
    return Stream.of(
        new JobQueue(database),
        new JobChanges(database),
        new JobReads(database),
        new AuditReads(database),
        new JobNotes(database),
        new ErrorGroups(database),
        new Forecasts(database),
        new AttemptCounts(database),
        new EventLog(database),
        new DatabaseHealth(database),
        new LostJobs(database),
        new Nodes(database),
        new PausedStart(database),
        new Operations(database),
        new StatReads(database),
        new OverviewReads(database),
        new Queues(database),
        new RunningJobs(database),
        new Waits(database),
        new Schedules(database),
        new Limiters(database));
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
    connectors()[0].getProtocolHandler().closeServerSocketGraceful();
  }

  /** Refuses new requests, waits a few seconds for those under way, and stops. */
  @Override
  public void close() {
    context.close();
    parts.close();
  }
}
