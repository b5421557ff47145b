package dev.ebb.api.jobs.waiting;

import dev.ebb.db.queue.CircuitView;
import dev.ebb.db.queue.Circuits;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.Limiters.LimiterView;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.waiting.WaitingJob;
import dev.ebb.db.waiting.Waits;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds when jobs are expected to start, for all answers that tell of it. */
public final class ExpectedStarts {
  private final Waits waits;
  private final Queues queues;
  private final Limiters limiters;
  private final Circuits circuits;

  ExpectedStarts(Waits waits, Queues queues, Limiters limiters, Circuits circuits) {
    this.waits = waits;
    this.queues = queues;
    this.limiters = limiters;
    this.circuits = circuits;
  }

  /** The start of a live job; empty if it has ended or is unknown. */
  public Optional<ExpectedStart> find(UUID id) throws SQLException {
    Optional<WaitingJob> job = waits.find(id);
    return job.isEmpty() ? Optional.empty() : Optional.of(of(job.get()));
  }

  private ExpectedStart of(WaitingJob job) throws SQLException {
    QueueView.Pause pause = queues.find(job.queue()).map(QueueView::pause).orElse(null);
    CircuitView circuit = circuit(job.queue());
    if (!job.isDue()) {
      return new ExpectedStart(job, pause, null, circuit, null);
    }
    LimiterView limiter =
        limiters.find(job.queue()).filter(seen -> seen.rate() != null).orElse(null);
    return new ExpectedStart(job, pause, limiter, circuit, waits.ahead(job));
  }

  private @Nullable CircuitView circuit(String queue) throws SQLException {
    return circuits
        .find(queue)
        .filter(one -> one.circuit().admits(one.now()) < Integer.MAX_VALUE)
        .orElse(null);
  }
}
