package dev.ebb.api.jobs.submit;

import dev.ebb.api.destinations.KnownDestinations;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.DeliveryJson;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Refuses deliveries without a URL whose queue is no destination. */
final class Addresses {
  private final KnownDestinations known;

  Addresses(KnownDestinations known) {
    this.known = known;
  }

  /**
   * Refuses the first of such jobs.
   *
   * @param items the pointer to the list of the jobs; {@code null} if the body is the job
   */
  void require(List<NewJob> jobs, @Nullable String items) throws SQLException {
    Refusal refusal = refusal(jobs, items).orElse(null);
    if (refusal != null) {
      throw refusal;
    }
  }

  /** The refusal of the first of such jobs; empty if there is none. */
  Optional<Refusal> refusal(List<NewJob> jobs, @Nullable String items) throws SQLException {
    Set<String> missing = missing(jobs);
    Optional<Refusal> refusal = Optional.empty();
    for (int i = 0; i < jobs.size() && !missing.isEmpty() && refusal.isEmpty(); i++) {
      refusal = refusal(jobs.get(i), items == null ? "" : items + "/" + i, missing);
    }
    return refusal;
  }

  /** The batch, of which such jobs are refused. */
  PartialBatch in(PartialBatch batch) throws SQLException {
    Set<String> missing = missing(batch.jobs());
    return batch.without(wanted -> refusal(wanted.job(), wanted.pointer(), missing));
  }

  private Set<String> missing(List<NewJob> jobs) throws SQLException {
    return known.missing(
        jobs.stream().flatMap(job -> job.withFollowUps().values().stream()).toList());
  }

  private static Optional<Refusal> refusal(NewJob job, String at, Set<String> missing) {
    return job.withFollowUps().entrySet().stream()
        .filter(one -> lacks(one.getValue(), missing))
        .findFirst()
        .map(one -> KnownDestinations.refusal(at + one.getKey(), one.getValue()));
  }

  private static boolean lacks(NewJob job, Set<String> missing) {
    return missing.contains(job.queue()) && DeliveryJson.isToQueue(job);
  }
}
