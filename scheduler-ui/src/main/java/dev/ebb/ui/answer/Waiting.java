package dev.ebb.ui.answer;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a job waits, the reason to look at first before the others. */
public record Waiting(boolean waiting, List<Reason> reasons) {
  /**
   * A reason.
   *
   * @param by who held the job or paused the queue
   * @param reason why
   */
  public record Reason(
      String code,
      String sentence,
      @Nullable Instant until,
      @Nullable Instant expectedAt,
      @Nullable String by,
      @Nullable String reason) {}
}
