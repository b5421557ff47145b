package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What became of one job of a batch.
 *
 * @param id the job's, or that of the job that holds its unique key
 * @param deduplicated whether nothing was stored for it
 * @param problem why it was refused; then nothing else is there
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BatchItem(
    @Nullable String id, @Nullable Boolean deduplicated, @Nullable Problem problem) {

  /**
   * In the place of a job that is refused.
   *
   * @param problem why
   * @return the item
   */
  public static BatchItem refused(Problem problem) {
    return new BatchItem(null, null, problem);
  }
}
