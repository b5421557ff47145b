package dev.ebb.api.jobs;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.submit.Submitted;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** Counts the jobs that were submitted, and tells the workers of them. */
public final class Arrivals {
  private final Notifier notifier;
  private final Counter stored;
  private final Counter duplicates;

  Arrivals(Notifier notifier, MeterRegistry meters) {
    this.notifier = notifier;
    this.stored = meters.counter("ebb.jobs.submitted");
    this.duplicates = meters.counter("ebb.jobs.deduplicated");
  }

  /** Counts what is committed, and answers how many are stored. */
  int count(List<Submitted> submitted) {
    int repeated = Math.toIntExact(submitted.stream().filter(Submitted::duplicate).count());
    stored.increment(submitted.size() - repeated);
    duplicates.increment(repeated);
    return submitted.size() - repeated;
  }

  /** The same, and tells the workers if some are. */
  void tell(List<NewJob> jobs, List<Submitted> submitted) {
    if (count(submitted) > 0) {
      jobs.stream().map(NewJob::queue).distinct().forEach(notifier::workArrived);
    }
  }

  /** Tells the workers that a job of the queue may be due. */
  void tellOf(String queue) {
    notifier.workArrived(queue);
  }
}
