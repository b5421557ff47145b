package dev.ebb.api.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.db.event.Event;
import dev.ebb.db.event.Event.ChangeEvent;
import dev.ebb.db.event.Event.JobEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An event with its text, which is written once for all streams. */
final class News {
  private final Event event;
  private @Nullable String json;

  News(Event event) {
    this.event = event;
  }

  Event event() {
    return event;
  }

  /** Its JSON. */
  synchronized String json() {
    String text = json;
    if (text == null) {
      text = new String(Answer.bytes(body()), StandardCharsets.UTF_8);
      json = text;
    }
    return text;
  }

  private Object body() {
    return switch (event) {
      case JobEvent job -> OfJob.of(job);
      case ChangeEvent change ->
          new OfChange(
              change.action(), change.subject(), change.affected(), Answer.shown(change.at()));
    };
  }

  /** Of a job, as clients see it. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record OfJob(
      UUID id,
      String queue,
      String kind,
      String outcome,
      int attempt,
      @Nullable String reason,
      @Nullable String uniqueKey,
      @Nullable String subject,
      Instant at) {
    static OfJob of(JobEvent job) {
      return new OfJob(
          job.facts().id(),
          job.facts().queue(),
          job.facts().kind(),
          job.outcome(),
          job.facts().attempts(),
          job.reason(),
          job.facts().uniqueKey(),
          job.facts().subject(),
          Answer.shown(job.at()));
    }
  }

  /** Of a change, as clients see it. */
  private record OfChange(String action, String subject, long affected, Instant at) {}
}
