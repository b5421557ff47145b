package dev.ebb.api.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Paged;
import dev.ebb.db.submit.LostJob;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A job that was acknowledged and lost, as answers show it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LostJobResource(
    UUID id, String queue, @Nullable String uniqueKey, Instant acknowledgedAt, Instant foundAt) {

  /**
   * A page of them.
   *
   * @param nextCursor of the next page; absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<LostJobResource> items, @Nullable String nextCursor) implements Paged {}

  static Page page(List<LostJob> jobs, int limit) {
    return new Page(
        jobs.stream().map(LostJobResource::of).toList(),
        jobs.size() == limit ? jobs.getLast().id().toString() : null);
  }

  private static LostJobResource of(LostJob job) {
    return new LostJobResource(
        job.id(), job.queue(), job.uniqueKey(), job.acknowledgedAt(), job.foundAt());
  }
}
