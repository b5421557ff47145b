package dev.ebb.api.jobs;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.http.HttpDelivery;
import dev.ebb.core.http.Masking;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.view.JobView;
import java.net.URI;

/**
 * The rule that the secrets of a delivery, which no answer shows, go to no other receiver: a change
 * of its URL's origin has to give such headers anew, or take them out.
 */
final class DeliverySecrets {
  private DeliverySecrets() {}

  /** Refuses a patch that sends stored secrets elsewhere. */
  static void requireGiven(JobView before, NewJob after, JsonObject patch) {
    String payload = before.payload();
    if (payload == null || !patch.has("payload") || !after.kind().equals(DeliveryJson.KIND)) {
      return;
    }
    HttpDelivery delivery = DeliveryJson.read(after.payload());
    if (!origin(payload).equals(origin(delivery))) {
      delivery
          .headers()
          .forEach((name, value) -> {
            boolean isSecret = !Masking.header(name, value).equals(value);
            if (isSecret && !isGiven(name, patch)) {
              throw Refusal.field(
                  "/payload/headers",
                  "must give " + name + " anew, or as null: the URL leads to another receiver");
            }
          });
    }
  }

  private static String origin(String payload) {
    try {
      return origin(DeliveryJson.read(payload));
    } catch (InvalidInput unreadable) {
      return "";
    }
  }

  private static String origin(HttpDelivery delivery) {
    URI url = delivery.url();
    return url.getScheme() + "://" + url.getHost() + ":" + url.getPort();
  }

  private static boolean isGiven(String header, JsonObject patch) {
    JsonObject headers =
        JsonObject.of(patch.required("payload")).optional("headers", JsonObject::of);
    return headers != null && headers.has(header);
  }
}
