package dev.ebb.worker;

import dev.ebb.core.circuit.CircuitRule;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.operation.Matched;
import dev.ebb.db.operation.Operations;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.view.AttemptView;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.view.JobView;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** A database of its own, and workers on it. */
final class WorkerBench implements AutoCloseable {
  /** Three attempts, the delays up to 20, then 40 milliseconds. */
  static final RetryPolicy QUICK =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ZERO, new Growth(Duration.ofMillis(20), 2, Duration.ofMillis(200))),
          3);

  static final String KIND = "script";

  /** Of tests in which an open circuit would end what they are about. */
  static final CircuitRule NO_CIRCUIT =
      new CircuitRule(
          false,
          CircuitRule.DEFAULT.failureRatio(),
          CircuitRule.DEFAULT.minVotes(),
          CircuitRule.DEFAULT.failuresInARow(),
          CircuitRule.DEFAULT.window(),
          CircuitRule.DEFAULT.openFor(),
          CircuitRule.DEFAULT.longestOpen(),
          CircuitRule.DEFAULT.disableAfter(),
          CircuitRule.DEFAULT.probesToClose());

  private static final String SLOW_CLAIMS =
      """
      create function public.slow() returns trigger language plpgsql as $$
        begin
          perform pg_sleep(0.03);
          return new;
        end
      $$;
      create trigger slow before insert on ebb.lease
      for each row execute function public.slow();
      """;

  final DatabaseConfig config;
  final Database database;
  final JobQueue jobs;
  final JobChanges changes;
  final JobReads reads;
  final MeterRegistry meters = new SimpleMeterRegistry();
  private final List<Worker> workers = new ArrayList<>();

  WorkerBench() {
    this(TestPostgres.shared().newDatabase());
  }

  WorkerBench(DatabaseConfig config) {
    this.config = config;
    this.database = TestPostgres.open(config);
    this.jobs = new JobQueue(database);
    this.changes = new JobChanges(database);
    this.reads = new JobReads(database);
  }

  /** Starts an operation on every job, of which so many match. */
  static UUID startOnAll(Operations operations, JobAction action, int matched) throws SQLException {
    OperationPlan plan = OperationPlan.of(action, JobFilter.ALL);
    return operations.start(plan, new Matched(matched, true), Bench.ACT).id();
  }

  static WorkerConfig settings() {
    return WorkerConfig.defaults().withDrainTimeout(Duration.ofSeconds(5));
  }

  /** One more for the caller to close. */
  Notifier notifier() {
    return new Notifier(database, new FailureLog(meters));
  }

  Worker start(Handler handler) {
    return start(settings(), handler);
  }

  Worker start(WorkerConfig settings, Handler handler) {
    Worker worker = Worker.start(database, settings, Map.of(KIND, handler), meters);
    workers.add(worker);
    return worker;
  }

  UUID submit(String payload) throws SQLException {
    return submit(NewJob.builder(KIND, payload).policy(QUICK).build());
  }

  UUID submit(NewJob job) throws SQLException {
    return jobs.submit(List.of(job)).getFirst().id();
  }

  /** The job's attempts, oldest first. */
  List<AttemptView> attempts(UUID id) throws SQLException {
    return reads.attempts(id, null, 200).attempts();
  }

  JobView view(UUID id) throws SQLException {
    return reads.find(id).orElseThrow();
  }

  void awaitState(UUID id, JobState state) throws Exception {
    Await.until("job " + id + " is " + state, () -> view(id).state() == state);
  }

  long count(String fromWhere) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from " + fromWhere)) {
      row.next();
      return row.getLong(1);
    }
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Makes claims so slow that they overlap for certain, unless they wait for one another. */
  void slowClaims() throws SQLException {
    execute(SLOW_CLAIMS);
  }

  /** Submits jobs that go to their queue's destination, and answers their ids. */
  Set<String> deliveries(String queue, int jobs) throws SQLException {
    NewJob job = NewJob.builder("http", "{\"body\":{\"order\":7}}").queue(queue).build();
    return this.jobs.submit(Collections.nCopies(jobs, job)).stream()
        .map(Submitted::id)
        .map(Object::toString)
        .collect(Collectors.toSet());
  }

  @Override
  public void close() {
    workers.forEach(Worker::close);
    database.close();
  }
}
