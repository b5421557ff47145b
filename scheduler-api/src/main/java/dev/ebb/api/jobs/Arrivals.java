package dev.ebb.api.jobs;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.submit.SubmitAnswer;
import dev.ebb.db.submit.Submitted;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** Counts the jobs that were submitted, and tells the workers of them. */
public final class Arrivals {
  private final Notifier notifier;
  private final Counter stored;
  private final Counter duplicates;
  private final Counter replayed;

  Arrivals(Notifier notifier, MeterRegistry meters) {
    this.notifier = notifier;
    this.stored = meters.counter("ebb.jobs.submitted");
    this.duplicates = meters.counter("ebb.jobs.deduplicated");
    this.replayed = meters.counter("ebb.submits.replayed");
  }

  /** Counts what is committed, and answers how many are stored now. */
  int count(SubmitAnswer.Stored written) {
    if (written.replayed()) {
      replayed.increment();
      return 0;
    }
    List<Submitted> submitted = written.jobs();
    int repeated = Math.toIntExact(submitted.stream().filter(Submitted::duplicate).count());
    stored.increment(submitted.size() - repeated);
    duplicates.increment(repeated);
    return submitted.size() - repeated;
  }

  /** The same, and tells the workers if some are. */
  void tell(List<NewJob> jobs, SubmitAnswer.Stored written) {
    if (count(written) > 0) {
      jobs.stream().map(NewJob::queue).distinct().forEach(notifier::workArrived);
    }
  }

  /** Tells the workers that a job of the queue may be due. */
  void tellOf(String queue) {
    notifier.workArrived(queue);
  }
}
