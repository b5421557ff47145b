package dev.ebb.api.jobs.submit;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.stats.MeteredQueues;
import dev.ebb.db.submit.Acknowledgements;
import dev.ebb.db.submit.SubmitAnswer;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.view.JobView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the jobs that were submitted, and tells the workers of them. */
public final class Arrivals {
  private final Acknowledgements acknowledgements;
  private final Notifier notifier;
  private final MeterRegistry meters;
  private final MeteredQueues queues = new MeteredQueues();
  private final Counter duplicates;
  private final Counter replayed;

  Arrivals(Acknowledgements acknowledgements, Notifier notifier, MeterRegistry meters) {
    this.acknowledgements = acknowledgements;
    this.notifier = notifier;
    this.meters = meters;
    this.duplicates =
        counter(
                "ebb.jobs.deduplicated",
                "Submits that were not stored because another job has their uniqueKey.")
            .register(meters);
    this.replayed =
        counter(
                "ebb.submits.replayed",
                "Submits over REST answered again under their Idempotency-Key.")
            .register(meters);
  }

  private static Counter.Builder counter(String name, String description) {
    return Counter.builder(name).description(description);
  }

  /** Counts what is committed, and answers how many are stored now. */
  int count(List<NewJob> jobs, SubmitAnswer.Stored written) {
    List<Submitted> submitted = written.jobs();
    acknowledgements.add(jobs, submitted);
    if (written.replayed()) {
      replayed.increment();
      return 0;
    }
    Map<String, Integer> stored = new HashMap<>();
    for (int i = 0; i < submitted.size(); i++) {
      if (!submitted.get(i).duplicate()) {
        stored.merge(queues.admit(jobs.get(i).queue(), false), 1, Integer::sum);
      }
    }
    stored.forEach(this::stored);
    int number = stored.values().stream().mapToInt(Integer::intValue).sum();
    duplicates.increment(submitted.size() - number);
    return number;
  }

  /** Counts a repeated submit of which only the job is at hand, if it is still there. */
  public void countRepeated(Optional<JobView> job) {
    replayed.increment();
    job.ifPresent(known -> acknowledgements.add(known.id(), known.queue(), known.uniqueKey()));
  }

  private void stored(String queue, int jobs) {
    counter("ebb.jobs.submitted", "Jobs stored by submits over REST.")
        .tag("queue", queue)
        .register(meters)
        .increment(jobs);
  }

  /** The same, and tells the workers if some are. */
  public void tell(List<NewJob> jobs, SubmitAnswer.Stored written) {
    if (count(jobs, written) > 0) {
      jobs.stream().map(NewJob::queue).distinct().forEach(notifier::workArrived);
    }
  }

  /** Tells the workers that a job of the queue may be due. */
  public void tellOf(String queue) {
    notifier.workArrived(queue);
  }
}
