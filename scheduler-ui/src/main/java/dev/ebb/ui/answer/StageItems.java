package dev.ebb.ui.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs of a stage of an operation, those that failed first. */
public record StageItems(List<Item> items) {

  /**
   * What became of a job.
   *
   * @param outcome of its next attempt, once that has ended
   */
  public record Item(
      String job,
      String queue,
      @Nullable String result,
      @Nullable String reason,
      @Nullable String outcome) {

    /** Of its word, as a style. */
    public String look() {
      return "succeeded".equals(outcome) ? "completed" : outcome == null ? "" : outcome;
    }

    /**
     * In a word.
     *
     * @param runs whether the operation still looks for the ends of attempts
     */
    public String word(boolean runs) {
      if ("skipped".equals(result)) {
        return reason == null ? "skipped" : "skipped: " + reason.replace('_', ' ');
      }
      return outcome != null ? outcome : runs ? "running" : "not recorded";
    }
  }
}
