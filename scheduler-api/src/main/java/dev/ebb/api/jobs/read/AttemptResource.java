package dev.ebb.api.jobs.read;

import dev.ebb.api.access.PayloadReader;
import dev.ebb.api.http.Answer;
import dev.ebb.api.jobs.JobResource;
import dev.ebb.contract.Attempt;
import dev.ebb.contract.AttemptList;
import dev.ebb.db.view.AttemptPage;
import dev.ebb.db.view.AttemptView;
import dev.ebb.db.view.AttemptWait;

/** Shows attempts. */
public final class AttemptResource {
  private AttemptResource() {}

  /** A page of them, as its reader may see it. */
  public static AttemptList page(AttemptPage page, PayloadReader reader) {
    return new AttemptList(
        page.attempts().stream().map(attempt -> of(attempt, reader)).toList(),
        AttemptCursor.write(page.next()),
        Answer.shownOrNull(page.goneBefore()));
  }

  static Attempt of(AttemptView attempt, PayloadReader reader) {
    String detail = attempt.detail();
    AttemptWait waited = attempt.waited();
    return new Attempt(
        attempt.number(),
        attempt.node(),
        Answer.shownOrNull(attempt.dueAt()),
        waited == null ? null : new Attempt.WaitParts(waited.limiter(), waited.slot()),
        Answer.shown(attempt.startedAt()),
        Answer.shownOrNull(attempt.endedAt()),
        Answer.shownOrNull(attempt.recordedAt()),
        attempt.outcome(),
        JobResource.failure(attempt.error()),
        Answer.embeddable(detail == null ? null : reader.attempt(detail)));
  }
}
