package dev.ebb.api.jobs.change;

import dev.ebb.api.http.Answer;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.view.JobView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A job as the submit that would make it, in JSON text: what merge patches are merged into. The
 * payload stands in it to the byte.
 */
final class JobDocument {
  /** The label of a clone, whose value is the id of the job that it was made from. */
  static final String CLONED_FROM = "clonedFrom";

  private final Map<String, String> fields = new LinkedHashMap<>();

  private JobDocument(JobView job) {
    put("kind", job.kind());
    put("queue", job.queue());
    put("priority", job.priority());
    put("maxAttempts", job.maxAttempts());
    put("policy", job.policy() == null ? null : PolicyJson.write(job.policy()));
    put("orderingKey", job.orderingKey());
    put("timeout", job.timeout() == null ? null : job.timeout().toString());
    if (job.payload() != null) {
      fields.put("payload", job.payload());
    }
  }

  private void put(String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, JsonMapper.shared().writeValueAsString(value));
    }
  }

  /** The whole job. */
  static String of(JobView job) {
    JobDocument document = new JobDocument(job);
    document.put("runAt", Answer.shown(job.times().runAt()).toString());
    document.put("uniqueKey", job.uniqueKey());
    document.put("labels", job.labels());
    return document.text();
  }

  /**
   * A job like it that is due at once and has no unique key. A label names the origin, unless there
   * is no room for one more.
   */
  static String cloneOf(JobView job) {
    Map<String, String> labels = new LinkedHashMap<>(job.labels());
    if (labels.containsKey(CLONED_FROM) || labels.size() < NewJob.MAX_LABELS) {
      labels.put(CLONED_FROM, job.id().toString());
    }
    JobDocument document = new JobDocument(job);
    document.put("labels", labels);
    return document.text();
  }

  private String text() {
    return fields.entrySet().stream()
        .map(field -> '"' + field.getKey() + "\":" + field.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }
}
