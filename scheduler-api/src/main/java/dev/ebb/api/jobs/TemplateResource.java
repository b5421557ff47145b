package dev.ebb.api.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.ebb.api.http.Answer;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.PolicyJson;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The job of a schedule as answers show it; what does not apply is left out.
 *
 * @param payload its JSON text, as its reader may see it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TemplateResource(
    String kind,
    String queue,
    @JsonRawValue @Nullable String payload,
    int priority,
    @Nullable Integer maxAttempts,
    @Nullable JsonNode policy,
    @Nullable String uniqueKey,
    @Nullable Duration timeout,
    Map<String, String> labels) {

  static TemplateResource of(NewJob job, @Nullable String payload) {
    return new TemplateResource(
        job.kind(),
        job.queue(),
        Answer.embeddable(payload),
        job.priority(),
        job.maxAttempts(),
        job.policy() == null ? null : PolicyJson.write(job.policy()),
        job.uniqueKey(),
        job.timeout(),
        job.labels());
  }
}
