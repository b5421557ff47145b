package dev.ebb.api.jobs;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.PayloadMask;
import dev.ebb.api.access.PayloadReader;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Conditions;
import dev.ebb.api.http.JsonText;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.BatchItem;
import dev.ebb.contract.Job;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.view.AttemptView;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.view.JobView;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Shows a job, and tells by its entity tag whether a request means it as it is. */
public final class JobAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(JobAnswers.class);

  private final JobReads reads;
  private final PayloadMask mask;
  private final InstantSource clock = InstantSource.system();

  JobAnswers(JobReads reads, PayloadMask mask) {
    this.reads = reads;
    this.mask = mask;
  }

  Job find(UUID id, Caller caller) throws SQLException {
    return shown(view(id), caller);
  }

  /** The job itself, of which answers may not show everything. */
  public JobView view(UUID id) throws SQLException {
    return reads.find(id).orElseThrow(() -> unknown(id));
  }

  /** Refuses a change that would store what answers show the caller in the place of a value. */
  public void requireUnmasked(JobView before, NewJob after, Caller caller) {
    String stored = before.payload();
    if (stored != null) {
      SentMasks.requireNone("/payload", after.payload(), mask.of(caller).payload(stored), stored);
    }
  }

  /** Refuses a request unless its {@code If-Match} names the job as it is. */
  public static void requireMeant(HttpServletRequest request, JobView job) {
    Conditions conditions = Conditions.of(request);
    if (conditions.match() == null) {
      throw Refusal.of(
          ProblemCode.PRECONDITION_REQUIRED,
          "The header If-Match must give the ETag of the job's last GET.");
    }
    if (!JobTag.isMeant(conditions, job.version())) {
      throw stale();
    }
  }

  public static Refusal stale() {
    return Refusal.of(
        ProblemCode.PRECONDITION_FAILED, "The job has changed. GET it again and use the new ETag.");
  }

  /** The job as it is after a change, with its entity tag, or its id alone. */
  public Answer changed(UUID id, Caller caller) {
    return readBack(id, caller)
        .map(job -> tagged(job, caller))
        .orElseGet(() -> Answer.ok(new BatchItem(id.toString(), null, null)));
  }

  private Answer tagged(JobView job, Caller caller) {
    return Answer.ok(shown(job, caller)).tagged(bytes -> JobTag.of(job.version(), bytes));
  }

  /**
   * A job as its submit stored it, without another statement. It is the same whenever it is shown,
   * so that the answer can be replayed.
   */
  public Job stored(UUID id, NewJob job, Submitted.Stored stored, Caller caller) {
    return JobResource.of(JobView.of(id, job, stored), stored.createdAt(), mask.of(caller));
  }

  /** The job as it is now, or its id alone: what was committed must not look refused. */
  public Object written(UUID id, Caller caller) {
    return readBack(id, caller)
        .<Object>map(job -> shown(job, caller))
        .orElseGet(() -> new BatchItem(id.toString(), null, null));
  }

  /** The same for a job that a submit did not store, because this one holds its unique key. */
  public Object duplicate(UUID id, Caller caller) {
    return readBack(id, caller)
        .<Object>map(job -> JobResource.duplicate(job, clock.instant(), mask.of(caller)))
        .orElseGet(() -> new BatchItem(id.toString(), true, null));
  }

  /** The jobs without payloads, whoever asks. */
  public static List<Job> samples(List<JobView> jobs, Instant now) {
    return jobs.stream().map(job -> JobResource.basic(job, now)).toList();
  }

  /**
   * The job with its result, if an attempt kept one: another statement for those that completed.
   */
  public Job whole(JobView job, Caller caller) throws SQLException {
    PayloadReader reader = mask.of(caller);
    return JobResource.of(job, clock.instant(), reader, result(job, caller, reader));
  }

  private @Nullable Map<String, String> result(JobView job, Caller caller, PayloadReader reader)
      throws SQLException {
    boolean mayHaveOne = job.state() == JobState.COMPLETED && caller.may(Scope.PAYLOAD_READ);
    String record =
        mayHaveOne
            ? reads.attempt(job.id(), job.attempt()).map(AttemptView::detail).orElse(null)
            : null;
    // What a handler recorded may be no JSON.
    JsonNode kept =
        record == null || !JsonText.isJson(record)
            ? null
            : JsonMapper.shared().readTree(reader.attempt(record)).path("result");
    if (kept == null || !kept.isObject() || kept.isEmpty()) {
      return null;
    }
    Map<String, String> result = new TreeMap<>();
    kept.properties().stream()
        .filter(one -> one.getValue().isString())
        .forEach(one -> result.put(one.getKey(), one.getValue().stringValue()));
    return result.isEmpty() ? null : result;
  }

  public Job shown(JobView job, Caller caller) {
    return JobResource.of(job, clock.instant(), mask.of(caller));
  }

  private Optional<JobView> readBack(UUID id, Caller caller) {
    return caller.may(Scope.JOBS_READ) ? readBack(id) : Optional.empty();
  }

  /** The job after a write that is committed, if it is there and can be read. */
  public Optional<JobView> readBack(UUID id) {
    try {
      return reads.find(id);
    } catch (SQLException | RuntimeException e) {
      LOG.warn("The write is committed, reading it back failed: {}", e.getMessage());
      return Optional.empty();
    }
  }

  public static Refusal unknown(UUID id) {
    return Refusal.of(ProblemCode.JOB_NOT_FOUND, "There is no job " + id + ".");
  }

  /** The refusal to tell when a job starts that is kept without an end, or has just ended. */
  public Refusal endless(UUID id, Caller caller) throws SQLException {
    Job job = find(id, caller);
    return job.state().equals(JobState.AVAILABLE.word()) && job.hold() == null
        ? Refusal.of(
            ProblemCode.WRONG_STATE,
            "The job's queue is paused without an end: nobody knows when the job starts.")
        : wrongState(id, caller);
  }

  /** The refusal of an action that the job's state does not allow. */
  public Refusal wrongState(UUID id, Caller caller) throws SQLException {
    Job job = find(id, caller);
    String kept =
        switch (job.phase()) {
          case "blocked" -> ", and it waits for another job of its orderingKey";
          case "held" -> ", and it is held";
          default -> "";
        };
    return Refusal.of(ProblemCode.WRONG_STATE, "The job's state is " + job.state() + kept + ".");
  }
}
