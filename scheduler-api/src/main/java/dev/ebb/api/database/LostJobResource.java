package dev.ebb.api.database;

import dev.ebb.contract.LostJobList;
import dev.ebb.db.submit.LostJob;
import java.util.List;

/** Shows jobs that were acknowledged and lost. */
final class LostJobResource {
  private LostJobResource() {}

  static LostJobList page(List<LostJob> jobs, int limit) {
    return new LostJobList(
        jobs.stream().map(LostJobResource::of).toList(),
        jobs.size() == limit ? jobs.getLast().id().toString() : null);
  }

  private static dev.ebb.contract.LostJob of(LostJob job) {
    return new dev.ebb.contract.LostJob(
        job.id().toString(), job.queue(), job.uniqueKey(), job.acknowledgedAt(), job.foundAt());
  }
}
