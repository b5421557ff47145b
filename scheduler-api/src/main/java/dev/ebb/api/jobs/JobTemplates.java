package dev.ebb.api.jobs;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.PayloadMask;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.policies.NamedPolicies;
import dev.ebb.contract.NamedSchedule.Template;
import dev.ebb.core.job.FollowUp;
import dev.ebb.core.job.FollowUp.Planned;
import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.DeliveryJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The jobs of schedules: what a body describes is read, and refused, as a submit would, but names
 * no time of its own.
 *
 * <p>Who reads a schedule and sends it back changed sends the masks of its payload as well, and may
 * have written it anew: a payload that is as answers show the stored one is the stored one, to the
 * byte.
 */
public final class JobTemplates {
  private static final JsonMapper EXACT =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private final NamedPolicies policies;
  private final PayloadMask mask;
  private final CardNumberCheck cards;

  JobTemplates(NamedPolicies policies, PayloadMask mask, CardNumberCheck cards) {
    this.policies = policies;
    this.mask = mask;
    this.cards = cards;
  }

  /**
   * The job that the object describes.
   *
   * @param before the job that it replaces; {@code null} for none
   */
  public NewJob read(JsonObject body, @Nullable NewJob before, Caller caller) {
    body.allow(JobFields.OF_TEMPLATE);
    NewJob read = body.build(() -> JobResource.job(body, policies.forRequest()));
    NewJob job = read.toBuilder().then(kept(read.then(), before, caller)).build();
    if (body.has("destination")) {
      JobResource.checkDelivery(body, job);
    }
    // Another queue may be another receiver, to whom nobody gave the secrets.
    boolean stays = before != null && before.queue().equals(job.queue());
    if (before != null && stays && isAsShown(job, before, caller)) {
      return job.toBuilder().payload(before.payload()).build();
    }
    JobResource.checkDelivery(body, job);
    if (before != null) {
      DeliverySecrets.requireUnmasked(before, job, "/job");
      SentMasks.requireNone("/job/payload", job.payload(), payload(before, caller), shown(before));
    }
    cards.require(job.toBuilder().then(null).build(), "/job");
    return job;
  }

  /** What follows, as the body says; a payload that is as shown is the stored one. */
  private @Nullable FollowUps kept(
      @Nullable FollowUps then, @Nullable NewJob before, Caller caller) {
    FollowUps was = before == null ? null : before.then();
    return then == null
        ? null
        : new FollowUps(
            kept(then.completed(), was == null ? null : was.completed(), "completed", caller),
            kept(then.deadLetter(), was == null ? null : was.deadLetter(), "deadLetter", caller),
            null);
  }

  private @Nullable FollowUp kept(
      @Nullable FollowUp given, @Nullable FollowUp was, String when, Caller caller) {
    if (!(given instanceof Planned(NewJob job, String pointer))) {
      return given;
    }
    String at = "/job/then/" + when;
    NewJob before = was instanceof Planned(NewJob stored, _) ? stored : null;
    if (before != null && before.queue().equals(job.queue()) && isAsShown(job, before, caller)) {
      return new Planned(job.toBuilder().payload(before.payload()).build(), pointer);
    }
    if (before != null) {
      DeliverySecrets.requireUnmasked(before, job, at);
      SentMasks.requireNone(at + "/payload", job.payload(), payload(before, caller), shown(before));
    }
    cards.require(job, at);
    return given;
  }

  /** Whether the payload is that of the job before, as JSON and as the caller sees it. */
  private boolean isAsShown(NewJob job, NewJob before, Caller caller) {
    return job.kind().equals(before.kind()) && isSame(job.payload(), payload(before, caller));
  }

  private static boolean isSame(String given, String shown) {
    try {
      return EXACT.readTree(given).equals(JobTemplates::compare, EXACT.readTree(shown));
    } catch (JacksonException | NumberFormatException notJson) {
      // Or a number whose exponent no machine holds.
      return false;
    }
  }

  /** Numbers are the same whatever their zeros. */
  private static int compare(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber()) {
      return one.decimalValue().compareTo(other.decimalValue());
    }
    return one.equals(other) ? 0 : 1;
  }

  private String payload(NewJob job, Caller caller) {
    return mask.of(caller).payload(shown(job));
  }

  private static String shown(NewJob job) {
    return job.kind().equals(DeliveryJson.KIND)
        ? DeliveryPayload.shown(job.payload())
        : job.payload();
  }

  /** The job as the caller may see it. */
  public Template shown(NewJob job, Caller caller) {
    return TemplateResource.of(job, one -> payload(one, caller));
  }

  /** The same without its payload. */
  public Template listed(NewJob job) {
    return TemplateResource.of(job, _ -> null);
  }
}
