package dev.ebb.api.jobs;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.NamedSchedule.Template;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.PolicyJson;
import org.jspecify.annotations.Nullable;

/** Shows the jobs of schedules. */
final class TemplateResource {
  private TemplateResource() {}

  static Template of(NewJob job, @Nullable String payload) {
    return new Template(
        job.kind(),
        job.queue(),
        Answer.embeddable(payload),
        job.priority(),
        job.maxAttempts(),
        job.policy() == null ? null : PolicyJson.shown(job.policy()),
        job.uniqueKey(),
        job.orderingKey(),
        job.timeout(),
        job.labels());
  }
}
