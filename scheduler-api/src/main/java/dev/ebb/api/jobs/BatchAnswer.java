package dev.ebb.api.jobs;

import dev.ebb.db.submit.Submitted;
import java.util.List;
import java.util.UUID;

/** The answer to a batch: an item per job, in the batch's order. */
record BatchAnswer(List<Item> items) {

  /**
   * @param id the job's, or that of the job that holds its unique key
   * @param deduplicated whether nothing was stored for it
   */
  record Item(UUID id, boolean deduplicated) {}

  static BatchAnswer of(List<Submitted> submitted) {
    return new BatchAnswer(
        submitted.stream().map(one -> new Item(one.id(), one.duplicate())).toList());
  }
}
