package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What would be stored for one job of a batch, or why nothing would.
 *
 * @param policy the job's, its queue's or the default
 * @param maxAttempts how often it would be tried at most; {@code null} where it is refused
 * @param problem why it would be refused; {@code null} where it is not
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BatchPreviewItem(
    @Nullable Policy policy, @Nullable Integer maxAttempts, @Nullable Problem problem) {

  /**
   * In the place of a job that is refused.
   *
   * @param problem why
   * @return the item
   */
  public static BatchPreviewItem refused(Problem problem) {
    return new BatchPreviewItem(null, null, problem);
  }
}
