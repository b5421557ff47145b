package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of a stage of an operation, those that failed first.
 *
 * @param items the jobs
 */
public record StageItems(List<Item> items) {

  /**
   * What became of a job, as the report says.
   *
   * @param job its id
   * @param queue its queue
   * @param result what became of it; {@code null} while that is open
   * @param reason why it was left as it is; {@code null} if it was not
   * @param stage the stage, from 1
   * @param actedAt when it was acted on; {@code null} before
   * @param outcome of its next attempt, once that has ended
   * @param uniqueKey of the job, while it is kept
   * @param subject of the job, while it is kept
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Item(
      String job,
      String queue,
      @Nullable String result,
      @Nullable String reason,
      @Nullable Integer stage,
      @Nullable Instant actedAt,
      @Nullable String outcome,
      @Nullable String uniqueKey,
      @Nullable String subject) {

    /**
     * In a word.
     *
     * @param runs whether the operation still looks for the ends of attempts
     * @return the word
     */
    public String word(boolean runs) {
      if ("skipped".equals(result)) {
        return reason == null ? "skipped" : "skipped: " + reason.replace('_', ' ');
      }
      return outcome != null ? outcome : runs ? "running" : "not recorded";
    }
  }
}
