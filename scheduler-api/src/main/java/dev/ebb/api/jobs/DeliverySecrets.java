package dev.ebb.api.jobs;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.http.DeliveryRequest;
import dev.ebb.core.http.HttpUrl;
import dev.ebb.core.http.Masking;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.view.JobView;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the secrets of a delivery, which no answer shows. They go to no other receiver: a
 * change of its URL's origin must give such headers anew, or take them out. And what answers show
 * in their place does not replace them.
 */
public final class DeliverySecrets {
  private DeliverySecrets() {}

  /** Refuses a patch that sends stored secrets elsewhere, or puts their masks in their place. */
  public static void requireGiven(JobView before, NewJob after, JsonObject patch) {
    String payload = before.payload();
    boolean stays = !patch.has("payload") && before.queue().equals(after.queue());
    if (payload == null || stays || !after.kind().equals(DeliveryJson.KIND)) {
      return;
    }
    DeliveryRequest stored = stored(payload);
    DeliveryRequest delivery = DeliveryJson.read(after.payload());
    if (stored != null) {
      requireUnmasked(stored, delivery, "");
    }
    if (stored == null
        || !receiver(stored, before.queue()).equals(receiver(delivery, after.queue()))) {
      delivery
          .headers()
          .forEach((name, value) -> {
            if (Masking.hides(name, value) && !isGiven(name, patch)) {
              throw Refusal.field(
                  "/payload/headers",
                  "must give " + name + " again, or as null: the URL leads to another receiver");
            }
          });
    }
  }

  /**
   * Refuses a delivery that puts masks in the place of another's secrets.
   *
   * @param at the pointer to the job in the body
   */
  static void requireUnmasked(NewJob before, NewJob after, String at) {
    if (before.kind().equals(DeliveryJson.KIND) && after.kind().equals(DeliveryJson.KIND)) {
      DeliveryRequest stored = stored(before.payload());
      if (stored != null) {
        requireUnmasked(stored, DeliveryJson.read(after.payload()), at);
      }
    }
  }

  /** Who reads a job and sends it back changed sends the masks as well. */
  private static void requireUnmasked(DeliveryRequest stored, DeliveryRequest delivery, String at) {
    if (stored.url() != null && delivery.url() != null) {
      String url = stored.url().toString();
      String given = delivery.url().toString();
      requireNoMask(at + "/payload/url", "the URL", url, Masking.url(url), given);
    }
    stored
        .headers()
        .forEach((name, value) ->
            requireNoMask(
                at + "/payload/headers",
                name,
                value,
                Masking.header(name, value),
                delivery.headers().getOrDefault(name, value)));
  }

  private static void requireNoMask(
      String pointer, String what, String stored, String shown, String given) {
    boolean isMasked = given.contains(Masking.MASK) && !shown.equals(stored);
    if (!given.equals(stored) && (given.equals(shown) || isMasked)) {
      throw Refusal.field(
          pointer, "must give " + what + " again, if at all: answers show only a mask");
    }
  }

  /** The delivery as it is; {@code null} if it cannot be read. */
  private static @Nullable DeliveryRequest stored(String payload) {
    try {
      return DeliveryJson.read(payload);
    } catch (InvalidInput unreadable) {
      return null;
    }
  }

  /** The origin of its URL, or its queue. */
  private static String receiver(DeliveryRequest delivery, String queue) {
    URI url = delivery.url();
    return url == null ? queue : HttpUrl.origin(url);
  }

  private static boolean isGiven(String header, JsonObject patch) {
    return patch.object("payload").object("headers").names(header);
  }
}
