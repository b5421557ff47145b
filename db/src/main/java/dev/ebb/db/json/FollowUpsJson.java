package dev.ebb.db.json;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.FollowUp;
import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.NewJob;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What follows a job, as it is stored. An ended job keeps no plans, only what became of them.
 *
 * <pre>
 *   {
 *     of?:         id of the job that it follows,
 *     completed?:  {job: a new job, resultPointer?} | {submitted: id} | {refused: why} | {},
 *     deadLetter?: the same
 *   }
 * </pre>
 */
public final class FollowUpsJson {
  private static final String OF = "of";
  private static final String COMPLETED = "completed";
  private static final String DEAD_LETTER = "deadLetter";
  private static final String JOB = "job";
  private static final String RESULT_POINTER = "resultPointer";
  private static final String SUBMITTED = "submitted";
  private static final String REFUSED = "refused";

  /** Numbers stay as they were written. */
  private static final JsonMapper EXACT =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private FollowUpsJson() {}

  /** The text of a job that has ended. */
  public static String ended(FollowUps followUps) {
    ObjectNode json = write(followUps);
    json.properties()
        .forEach(one -> {
          if (one.getValue() instanceof ObjectNode plan) {
            plan.remove(JOB);
            plan.remove(RESULT_POINTER);
          }
        });
    return json.toString();
  }

  public static ObjectNode write(FollowUps followUps) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    if (followUps.of() != null) {
      json.put(OF, followUps.of().toString());
    }
    put(json, COMPLETED, followUps.completed());
    put(json, DEAD_LETTER, followUps.deadLetter());
    return json;
  }

  private static void put(ObjectNode json, String when, @Nullable FollowUp followUp) {
    if (followUp == null) {
      return;
    }
    ObjectNode one = json.putObject(when);
    switch (followUp) {
      case FollowUp.Planned(NewJob job, String pointer) -> {
        one.set(JOB, JsonMapper.shared().readTree(NewJobJson.write(job)));
        if (pointer != null) {
          one.put(RESULT_POINTER, pointer);
        }
      }
      case FollowUp.Submitted(UUID job) -> one.put(SUBMITTED, job.toString());
      case FollowUp.Refused(String why) -> one.put(REFUSED, why);
    }
  }

  /** What the text says; {@code null} for nothing. */
  public static @Nullable FollowUps read(@Nullable String text) {
    return text == null ? null : read(JsonMapper.shared().readTree(text));
  }

  static @Nullable FollowUps read(JsonNode json) {
    String of = json.path(OF).stringValue(null);
    FollowUp completed = followUp(json.path(COMPLETED));
    FollowUp deadLetter = followUp(json.path(DEAD_LETTER));
    return of == null && completed == null && deadLetter == null
        ? null
        : new FollowUps(completed, deadLetter, of == null ? null : UUID.fromString(of));
  }

  private static @Nullable FollowUp followUp(JsonNode one) {
    String submitted = one.path(SUBMITTED).stringValue(null);
    if (submitted != null) {
      return new FollowUp.Submitted(UUID.fromString(submitted));
    }
    String refused = one.path(REFUSED).stringValue(null);
    if (refused != null) {
      return new FollowUp.Refused(refused);
    }
    return one.has(JOB)
        ? new FollowUp.Planned(
            NewJobJson.read(one.path(JOB).toString()), one.path(RESULT_POINTER).stringValue(null))
        : null;
  }

  /**
   * Refuses a plan whose payload has no place for an answer: the object that is to hold it must be
   * there.
   *
   * @throws InvalidInput on the field {@code resultPointer}
   */
  public static void requirePlace(FollowUp.Planned planned) {
    if (planned.resultPointer() != null) {
      var _ = payload(planned, JsonMapper.shared().createObjectNode());
    }
  }

  /** The payload of the job that follows, with the answer at its place. */
  public static String payload(FollowUp.Planned planned, ObjectNode answer) {
    String payload = planned.job().payload();
    if (planned.resultPointer() == null) {
      return payload;
    }
    JsonNode root = EXACT.readTree(payload);
    JsonPointer place = JsonPointer.compile(planned.resultPointer());
    if (!(root.at(place.head()) instanceof ObjectNode holder)) {
      throw new InvalidInput(RESULT_POINTER, "must name a member of an object in the payload");
    }
    holder.set(place.last().getMatchingProperty(), answer);
    return EXACT.writeValueAsString(root);
  }
}
