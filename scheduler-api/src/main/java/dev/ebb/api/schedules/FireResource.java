package dev.ebb.api.schedules;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.ScheduleFire;
import dev.ebb.core.job.JobState;
import dev.ebb.db.schedule.FireView;
import java.util.Map;
import java.util.UUID;

/** Shows fires. */
final class FireResource {
  private FireResource() {}

  static ScheduleFire of(FireView fire, Map<UUID, JobState> states) {
    UUID job = fire.jobId();
    JobState state = job == null ? null : states.get(job);
    return new ScheduleFire(
        Answer.shown(fire.fireAt()),
        Answer.shown(fire.firedAt()),
        ScheduleWords.of(fire.result()),
        fire.byHand(),
        fire.missed(),
        job == null ? null : job.toString(),
        job == null ? null : "/v1/jobs/" + job,
        state == null ? null : state.word(),
        fire.node(),
        fire.error());
  }
}
