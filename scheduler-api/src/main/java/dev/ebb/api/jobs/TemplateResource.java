package dev.ebb.api.jobs;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.NamedSchedule.Template;
import dev.ebb.contract.NextTemplate;
import dev.ebb.contract.ThenTemplate;
import dev.ebb.core.job.FollowUp;
import dev.ebb.core.job.FollowUp.Planned;
import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.PolicyJson;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Shows the jobs of schedules. */
final class TemplateResource {
  private TemplateResource() {}

  /**
   * The job.
   *
   * @param payload what is shown of a job's payload; {@code null} for nothing
   */
  static Template of(NewJob job, Function<NewJob, @Nullable String> payload) {
    return new Template(
        job.kind(),
        job.queue(),
        Answer.embeddable(payload.apply(job)),
        job.priority(),
        job.maxAttempts(),
        job.policy() == null ? null : PolicyJson.shown(job.policy()),
        job.uniqueKey(),
        job.orderingKey(),
        job.timeout(),
        job.labels(),
        then(job.then(), payload));
  }

  private static @Nullable ThenTemplate then(
      @Nullable FollowUps then, Function<NewJob, @Nullable String> payload) {
    return then == null
        ? null
        : new ThenTemplate(of(then.completed(), payload), of(then.deadLetter(), payload));
  }

  private static @Nullable NextTemplate of(
      @Nullable FollowUp followUp, Function<NewJob, @Nullable String> payload) {
    return followUp instanceof Planned(NewJob job, String pointer)
        ? new NextTemplate(
            job.kind(),
            job.queue(),
            Answer.embeddable(payload.apply(job)),
            pointer,
            job.delay(),
            job.priority(),
            job.maxAttempts(),
            job.policy() == null ? null : PolicyJson.shown(job.policy()),
            job.uniqueKey(),
            job.orderingKey(),
            job.timeout(),
            job.labels())
        : null;
  }
}
