package dev.ebb.api.start;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.Start;
import dev.ebb.db.start.StartState;

/** Shows the start of the cluster. */
final class StartResource {
  private StartResource() {}

  static Start of(StartState state) {
    return new Start(
        state.isPaused(),
        Answer.shownOrNull(state.pausedSince()),
        state.pausedBy(),
        Answer.shownOrNull(state.resumedAt()));
  }
}
