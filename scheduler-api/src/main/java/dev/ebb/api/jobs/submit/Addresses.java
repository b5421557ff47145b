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
    Set<String> missing = known.missing(jobs);
    for (int i = 0; i < jobs.size() && !missing.isEmpty(); i++) {
      if (lacks(jobs.get(i), missing)) {
        return Optional.of(
            KnownDestinations.refusal(items == null ? "" : items + "/" + i, jobs.get(i)));
      }
    }
    return Optional.empty();
  }

  /** The batch, of which such jobs are refused. */
  PartialBatch in(PartialBatch batch) throws SQLException {
    Set<String> missing = known.missing(batch.jobs());
    return batch.without(wanted ->
        lacks(wanted.job(), missing)
            ? Optional.of(KnownDestinations.refusal(wanted.pointer(), wanted.job()))
            : Optional.empty());
  }

  private static boolean lacks(NewJob job, Set<String> missing) {
    return missing.contains(job.queue()) && DeliveryJson.isToQueue(job);
  }
}
