package dev.ebb.api.schedules;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.contract.Paged;
import dev.ebb.core.job.JobState;
import dev.ebb.db.schedule.FireView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A fire as answers show it; what does not apply is left out.
 *
 * @param missed how many other late fires it stands for
 * @param job the path of its job
 * @param jobState of that job when it was read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record FireResource(
    Instant fireAt,
    Instant firedAt,
    String result,
    boolean byHand,
    long missed,
    @Nullable UUID jobId,
    @Nullable String job,
    @Nullable String jobState,
    @Nullable String node,
    @Nullable String error) {

  /**
   * A page of fires, newest first.
   *
   * @param nextCursor of the next page; absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<FireResource> items, @Nullable String nextCursor) implements Paged {}

  static FireResource of(FireView fire, Map<UUID, JobState> states) {
    UUID job = fire.jobId();
    JobState state = job == null ? null : states.get(job);
    return new FireResource(
        Answer.shown(fire.fireAt()),
        Answer.shown(fire.firedAt()),
        ScheduleWords.of(fire.result()),
        fire.byHand(),
        fire.missed(),
        job,
        job == null ? null : "/v1/jobs/" + job,
        state == null ? null : state.word(),
        fire.node(),
        fire.error());
  }
}
