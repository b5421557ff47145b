package dev.ebb.api.jobs;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.contract.FollowUp;
import dev.ebb.core.job.FollowUp.Planned;
import dev.ebb.core.job.FollowUp.Refused;
import dev.ebb.core.job.FollowUp.Submitted;
import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.FollowUpsJson;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads from bodies what follows a job, and shows it. */
final class FollowUpResource {
  private static final String COMPLETED = "completed";
  private static final String DEAD_LETTER = "deadLetter";
  private static final String RESULT_POINTER = "resultPointer";

  private FollowUpResource() {}

  /**
   * What the object says.
   *
   * @param job reads a job, which keeps the rules of a submit
   */
  static FollowUps read(JsonObject then, Function<JsonObject, NewJob> job) {
    then.allow(COMPLETED, DEAD_LETTER);
    return new FollowUps(
        then.optional(COMPLETED, one -> planned(JsonObject.of(one), job)),
        then.optional(DEAD_LETTER, one -> planned(JsonObject.of(one), job)),
        null);
  }

  private static Planned planned(JsonObject body, Function<JsonObject, NewJob> job) {
    body.allow(JobFields.OF_FOLLOW_UP);
    NewJob read = job.apply(body);
    return body.build(() -> {
      Planned planned = new Planned(read, body.optional(RESULT_POINTER, JsonValue::string));
      FollowUpsJson.requirePlace(planned);
      return planned;
    });
  }

  /** What follows a job; {@code null} for nothing. */
  static dev.ebb.contract.@Nullable FollowUps of(@Nullable FollowUps then) {
    return then == null || (then.completed() == null && then.deadLetter() == null)
        ? null
        : new dev.ebb.contract.FollowUps(of(then.completed()), of(then.deadLetter()));
  }

  private static @Nullable FollowUp of(dev.ebb.core.job.@Nullable FollowUp followUp) {
    return switch (followUp) {
      case null -> null;
      case Planned planned -> new FollowUp(planned.job().kind(), planned.job().queue(), null, null);
      case Submitted submitted -> new FollowUp(null, null, submitted.job().toString(), null);
      case Refused refused -> new FollowUp(null, null, null, refused.why());
    };
  }

  /** The id of the job that it follows; {@code null} for none. */
  static @Nullable String first(@Nullable FollowUps then) {
    return then == null || then.of() == null ? null : then.of().toString();
  }
}
