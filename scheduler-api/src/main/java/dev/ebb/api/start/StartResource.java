package dev.ebb.api.start;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.db.start.StartState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The start of the cluster as answers show it; what does not apply is left out.
 *
 * @param pausedBy the setting or command, and where
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record StartResource(
    boolean paused,
    @Nullable Instant pausedSince,
    @Nullable String pausedBy,
    @Nullable Instant resumedAt) {

  static StartResource of(StartState state) {
    return new StartResource(
        state.isPaused(),
        Answer.shownOrNull(state.pausedSince()),
        state.pausedBy(),
        Answer.shownOrNull(state.resumedAt()));
  }
}
