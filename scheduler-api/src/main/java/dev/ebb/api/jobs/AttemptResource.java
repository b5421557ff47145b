package dev.ebb.api.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.ebb.api.access.PayloadReader;
import dev.ebb.api.http.Answer;
import dev.ebb.contract.Paged;
import dev.ebb.core.job.Failure;
import dev.ebb.db.view.AttemptPage;
import dev.ebb.db.view.AttemptView;
import dev.ebb.db.view.Waited;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attempt as answers show it; what does not apply is left out.
 *
 * @param detail what its handler recorded: for deliveries the request and the response
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record AttemptResource(
    int number,
    String node,
    @Nullable Instant dueAt,
    @Nullable Waited waited,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Instant recordedAt,
    @Nullable String outcome,
    @Nullable Failure error,
    @JsonRawValue @Nullable String detail) {

  /**
   * A page of a job's attempts, oldest first.
   *
   * @param nextCursor of the next page; absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<AttemptResource> items, @Nullable String nextCursor) implements Paged {}

  static Page page(AttemptPage page, PayloadReader reader) {
    return new Page(
        page.attempts().stream().map(attempt -> of(attempt, reader)).toList(),
        AttemptCursor.write(page.next()));
  }

  static AttemptResource of(AttemptView attempt, PayloadReader reader) {
    String detail = attempt.detail();
    return new AttemptResource(
        attempt.number(),
        attempt.node(),
        Answer.shownOrNull(attempt.dueAt()),
        attempt.waited(),
        Answer.shown(attempt.startedAt()),
        Answer.shownOrNull(attempt.endedAt()),
        Answer.shownOrNull(attempt.recordedAt()),
        attempt.outcome(),
        attempt.error(),
        Answer.embeddable(detail == null ? null : reader.attempt(detail)));
  }
}
