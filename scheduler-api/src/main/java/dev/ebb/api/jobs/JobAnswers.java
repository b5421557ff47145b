package dev.ebb.api.jobs;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.PayloadMask;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.view.JobView;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows a job after a write. */
public final class JobAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(JobAnswers.class);

  private final JobReads reads;
  private final PayloadMask mask;
  private final InstantSource clock = InstantSource.system();

  JobAnswers(JobReads reads, PayloadMask mask) {
    this.reads = reads;
    this.mask = mask;
  }

  /** The answer if the job cannot be read. */
  record Receipt(UUID id) {}

  JobResource find(UUID id, Caller caller) throws SQLException {
    return reads.find(id).map(job -> shown(job, caller)).orElseThrow(() -> unknown(id));
  }

  /** A job as its submit stored it, without another statement. */
  JobResource stored(UUID id, NewJob job, Submitted.Stored stored, Caller caller) {
    return shown(JobView.of(id, job, stored), caller);
  }

  /** The job as it is now, or its id alone: what was committed must not look refused. */
  Object written(UUID id, Caller caller) {
    return readBack(id, caller)
        .<Object>map(job -> shown(job, caller))
        .orElseGet(() -> new Receipt(id));
  }

  /** The same for a job that a submit did not store, because this one holds its unique key. */
  Object duplicate(UUID id, Caller caller) {
    return readBack(id, caller)
        .<Object>map(job -> JobResource.duplicate(job, clock.instant(), masked(caller)))
        .orElseGet(() -> new BatchAnswer.Item(id, true));
  }

  private JobResource shown(JobView job, Caller caller) {
    return JobResource.of(job, clock.instant(), masked(caller));
  }

  private UnaryOperator<String> masked(Caller caller) {
    return json -> mask.payload(caller, json);
  }

  private Optional<JobView> readBack(UUID id, Caller caller) {
    if (!caller.may(Scope.JOBS_READ)) {
      return Optional.empty();
    }
    try {
      return reads.find(id);
    } catch (SQLException | RuntimeException e) {
      LOG.warn("The write is committed, reading it back failed: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /** Says the state of a job that does not allow something; or that there is no such job. */
  Refusal wrongState(UUID id, Caller caller) throws SQLException {
    return Refusal.of(
        ProblemCode.WRONG_STATE, "The job's state is " + find(id, caller).state() + ".");
  }

  static Refusal unknown(UUID id) {
    return Refusal.of(ProblemCode.JOB_NOT_FOUND, "There is no job " + id + ".");
  }
}
