package dev.ebb.api;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.api.access.Callers;
import dev.ebb.api.access.OpenRequests;
import dev.ebb.api.access.PayloadMask;
import dev.ebb.api.access.TokensController;
import dev.ebb.api.audit.AuditController;
import dev.ebb.api.database.DatabaseController;
import dev.ebb.api.database.DatabaseReports;
import dev.ebb.api.destinations.CircuitsController;
import dev.ebb.api.destinations.DestinationAttemptsController;
import dev.ebb.api.destinations.DestinationListController;
import dev.ebb.api.destinations.DestinationsController;
import dev.ebb.api.destinations.HealthReader;
import dev.ebb.api.destinations.KnownDestinations;
import dev.ebb.api.destinations.SigningKeysController;
import dev.ebb.api.destinations.TlsController;
import dev.ebb.api.errors.ErrorGroupsController;
import dev.ebb.api.events.EventReader;
import dev.ebb.api.events.EventsController;
import dev.ebb.api.findings.FindingsController;
import dev.ebb.api.findings.QueueTroubles;
import dev.ebb.api.forecast.ForecastController;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.inside.Rest;
import dev.ebb.api.jobs.CardNumberCheck;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobTemplates;
import dev.ebb.api.jobs.change.JobEditsController;
import dev.ebb.api.jobs.change.JobHoldsController;
import dev.ebb.api.jobs.change.JobNotesController;
import dev.ebb.api.jobs.change.JobVerbsController;
import dev.ebb.api.jobs.export.ExportController;
import dev.ebb.api.jobs.export.ExportKeysController;
import dev.ebb.api.jobs.export.ExportSigner;
import dev.ebb.api.jobs.read.JobAuditController;
import dev.ebb.api.jobs.read.JobWaits;
import dev.ebb.api.jobs.read.JobsController;
import dev.ebb.api.jobs.share.JobLinksController;
import dev.ebb.api.jobs.share.SharedJobs;
import dev.ebb.api.jobs.submit.Arrivals;
import dev.ebb.api.jobs.submit.JobBodies;
import dev.ebb.api.jobs.submit.SubmitController;
import dev.ebb.api.jobs.submit.SubmitPreviewController;
import dev.ebb.api.jobs.submit.SubmitPreviews;
import dev.ebb.api.jobs.submit.Submits;
import dev.ebb.api.jobs.submit.TestDeliveries;
import dev.ebb.api.jobs.waiting.ExpectedStarts;
import dev.ebb.api.jobs.waiting.WaitingController;
import dev.ebb.api.kinds.KindsController;
import dev.ebb.api.leases.Askers;
import dev.ebb.api.leases.LeasesController;
import dev.ebb.api.leases.Leasing;
import dev.ebb.api.nodes.NodesController;
import dev.ebb.api.operations.OperationController;
import dev.ebb.api.operations.OperationStarts;
import dev.ebb.api.operations.OperationWaits;
import dev.ebb.api.operations.OperationsController;
import dev.ebb.api.operations.RecoveryController;
import dev.ebb.api.policies.NamedPolicies;
import dev.ebb.api.policies.PoliciesController;
import dev.ebb.api.policies.Previews;
import dev.ebb.api.problem.ProblemResolver;
import dev.ebb.api.queues.LimiterController;
import dev.ebb.api.queues.QueueJobsController;
import dev.ebb.api.queues.QueueVerbsController;
import dev.ebb.api.queues.QueuesController;
import dev.ebb.api.schedules.FiresController;
import dev.ebb.api.schedules.ScheduleAnswers;
import dev.ebb.api.schedules.ScheduleVerbsController;
import dev.ebb.api.schedules.SchedulesController;
import dev.ebb.api.settings.SettingsController;
import dev.ebb.api.start.StartController;
import dev.ebb.api.stats.FirstQueues;
import dev.ebb.api.stats.StatsController;
import dev.ebb.api.stats.SubjectsController;
import dev.ebb.api.system.SystemController;
import dev.ebb.db.JobChanges;
import dev.ebb.db.JobQueue;
import dev.ebb.db.access.JobLinks;
import dev.ebb.db.access.SessionKeys;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.audit.AuditReads;
import dev.ebb.db.audit.JobNotes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.errors.ErrorGroups;
import dev.ebb.db.event.EventLog;
import dev.ebb.db.export.ExportKeys;
import dev.ebb.db.forecast.AttemptCounts;
import dev.ebb.db.forecast.Forecasts;
import dev.ebb.db.health.DatabaseHealth;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.named.Kinds;
import dev.ebb.db.named.Policies;
import dev.ebb.db.node.MissingKeys;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.operation.Operations;
import dev.ebb.db.poll.PollWork;
import dev.ebb.db.poll.PolledLeases;
import dev.ebb.db.poll.PolledSettle;
import dev.ebb.db.poll.Pollers;
import dev.ebb.db.queue.AddedKeys;
import dev.ebb.db.queue.Circuits;
import dev.ebb.db.queue.DestinationReads;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueDepths;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.queue.RunningJobs;
import dev.ebb.db.schedule.Schedules;
import dev.ebb.db.settings.ClusterSettings;
import dev.ebb.db.start.PausedStart;
import dev.ebb.db.start.StartWatch;
import dev.ebb.db.stats.DestinationStats;
import dev.ebb.db.stats.OverviewReads;
import dev.ebb.db.stats.StatReads;
import dev.ebb.db.stats.SubjectReads;
import dev.ebb.db.submit.Acknowledgements;
import dev.ebb.db.submit.LostJobs;
import dev.ebb.db.submit.Submitter;
import dev.ebb.db.view.DestinationAttempts;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.waiting.Waits;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;

/**
 * What the API is made of: its classes, the values that they are given, and what works beside the
 * requests.
 *
 * @param values of which each class of {@link #CLASSES} is given those that it asks for
 */
record ApiParts(Background beside, List<Object> values) implements AutoCloseable {
  static final Class<?>[] CLASSES = {
    WebConfiguration.class,
    JobAnswers.class,
    Arrivals.class,
    Previews.class,
    SubmitPreviews.class,
    JobBodies.class,
    TestDeliveries.class,
    Submits.class,
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
    JobLinksController.class,
    SharedJobs.class,
    ExportSigner.class,
    ExportController.class,
    ExportKeysController.class,
    ExpectedStarts.class,
    WaitingController.class,
    ErrorGroupsController.class,
    QueuesController.class,
    HealthReader.class,
    DestinationListController.class,
    DestinationAttemptsController.class,
    DestinationsController.class,
    SigningKeysController.class,
    TlsController.class,
    CircuitsController.class,
    KnownDestinations.class,
    QueueVerbsController.class,
    QueueJobsController.class,
    LimiterController.class,
    ForecastController.class,
    ScheduleAnswers.class,
    SchedulesController.class,
    ScheduleVerbsController.class,
    FiresController.class,
    KindsController.class,
    PoliciesController.class,
    TokensController.class,
    AuditController.class,
    NodesController.class,
    Askers.class,
    Leasing.class,
    LeasesController.class,
    SettingsController.class,
    StartController.class,
    DatabaseReports.class,
    DatabaseController.class,
    FirstQueues.class,
    QueueTroubles.class,
    FindingsController.class,
    OperationStarts.class,
    OperationsController.class,
    RecoveryController.class,
    OperationController.class,
    OperationWaits.class,
    StatsController.class,
    SubjectsController.class,
    EventReader.class,
    EventsController.class,
    SystemController.class,
    Rest.class
  };

  /** What works beside the requests, and is closed behind them. */
  private record Background(
      Notifier notifier,
      Submitter submitter,
      QueueDepths depths,
      StartWatch startWatch,
      Acknowledgements acknowledgements) {

    static Background of(Database database, MeterRegistry meters, FailureLog failureLog) {
      Notifier notifier = new Notifier(database, failureLog);
      return new Background(
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
   * Makes all of it; the database stays the caller's to close.
   *
   * @param server what the server that listens gives besides
   */
  static ApiParts of(Database database, ApiConfig config, List<Object> server) {
    MeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    FailureLog failureLog = new FailureLog(meters);
    Background beside = Background.of(database, meters, failureLog);
    List<Object> values =
        Stream.of(
                stores(database),
                beside.all(),
                Stream.of(meters, failureLog, new ProblemResolver()),
                access(database, config.access()),
                settings(config),
                server.stream())
            .flatMap(each -> each)
            .toList();
    return new ApiParts(beside, values);
  }

  private static Stream<Object> access(Database database, AccessConfig config) {
    Tokens tokens = new Tokens(database);
    return Stream.of(
        tokens,
        new Callers(config, tokens, new SessionKeys(database)),
        new OpenRequests(),
        new PayloadMask(config),
        new CardNumberCheck(config.cardNumbers()));
  }

  private static Stream<Object> settings(ApiConfig config) {
    ApiConfig.Limits limits = config.limits();
    return Stream.of(
        config,
        config.streams(),
        config.secrets(),
        new Bodies(limits.maxBodyBytes(), limits.maxBatchBytes(), limits.bodyTime()));
  }

  /** What reads and writes the database, and needs nothing else. */
  private static Stream<Object> stores(Database database) {
    Policies policies = new Policies(database);
    return Stream.of(
        policies,
        new NamedPolicies(policies),
        new Kinds(database),
        new JobQueue(database),
        new JobChanges(database),
        new JobReads(database),
        new AuditReads(database),
        new JobNotes(database),
        new ExportKeys(database),
        new JobLinks(database),
        new ErrorGroups(database),
        new Forecasts(database),
        new AttemptCounts(database),
        new EventLog(database),
        new DatabaseHealth(database),
        new LostJobs(database),
        new Nodes(database),
        new MissingKeys(database),
        new ClusterSettings(database),
        new PausedStart(database),
        new Operations(database),
        new StatReads(database),
        new OverviewReads(database),
        new SubjectReads(database),
        new DestinationStats(database),
        new Queues(database),
        new DestinationReads(database),
        new DestinationAttempts(database),
        new AddedKeys(database),
        new RunningJobs(database),
        new Waits(database),
        new Schedules(database),
        new Limiters(database),
        new Circuits(database),
        new PollWork(database),
        new Pollers(database),
        new PolledLeases(database),
        new PolledSettle(database, ThreadLocalRandom::current));
  }

  /** Has the context make the classes of these values. */
  void register(AnnotationConfigServletWebServerApplicationContext context) {
    // Beans that are registered this way are not closed with the context.
    values.forEach(
        value -> context.getBeanFactory().registerSingleton(value.getClass().getName(), value));
    context.register(CLASSES);
  }

  @Override
  public void close() {
    beside.close();
  }
}
