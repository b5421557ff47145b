package dev.ebb.api.destinations;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.MergePatch;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.queues.QueueBody;
import dev.ebb.api.queues.QueueResource;
import dev.ebb.contract.Queue;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.Masking;
import dev.ebb.db.json.DestinationJson;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.QueueView;
import java.net.URI;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads destinations from bodies. Answers show masks in the place of secrets: they are refused
 * where they would replace a secret, and no secret goes to another receiver than the one that it
 * was given for.
 */
final class DestinationBody {
  private static final String[] FIELDS =
      QueueBody.with(
          Stream.concat(DestinationJson.FIELDS.stream(), Stream.of("reason"))
              .toArray(String[]::new));

  private DestinationBody() {}

  /** All that a destination is to have. */
  static QueueSettings read(JsonObject body) {
    body.allow(FIELDS);
    Destination destination =
        body.build(() -> DestinationJson.read(JsonMapper.shared().readTree(body.text())));
    return QueueBody.settings(body, false).to(destination);
  }

  /** What a merge patch (RFC 7396) makes of a destination; none is without a URL. */
  static QueueSettings patched(QueueView before, Destination address, JsonObject patch) {
    patch.allow(FIELDS);
    JsonObject meant = patch.has("url") ? patch : patch.without("url");
    QueueSettings after = read(MergePatch.apply(text(before, address), meant));
    requireNotElsewhere(address, Objects.requireNonNull(after.destination()), patch);
    return after;
  }

  /** The destination as the body that would create it, with its secrets. */
  private static String text(QueueView view, Destination address) {
    Queue queue = QueueResource.of(view);
    JsonMapper json = JsonMapper.shared();
    ObjectNode body = DestinationJson.write(address);
    putIfThere(body, "policy", queue.policyName() == null ? queue.policy() : queue.policyName());
    putIfThere(body, "rateLimit", queue.rateLimit());
    putIfThere(body, "maxConcurrency", queue.maxConcurrency());
    putIfThere(body, "maxDepth", queue.maxDepth());
    putIfThere(body, "weight", queue.weight());
    putIfThere(body, "labelsFrom", queue.labelsFrom());
    return json.writeValueAsString(body);
  }

  private static void putIfThere(ObjectNode body, String field, @Nullable Object value) {
    if (value != null) {
      body.set(field, JsonMapper.shared().valueToTree(value));
    }
  }

  /** Refuses masks in the place of what is stored. */
  static void requireUnmasked(@Nullable Destination stored, Destination given, Caller caller) {
    if (stored == null) {
      return;
    }
    requireNoMask(
        "/url",
        stored.url().toString(),
        DestinationResource.url(stored.url(), caller),
        given.url().toString());
    stored
        .headers()
        .forEach((name, value) ->
            requireNoMask(
                "/headers/" + name,
                value,
                DestinationResource.header(name, value, caller),
                given.headers().getOrDefault(name, value)));
  }

  private static void requireNoMask(String pointer, String stored, String shown, String given) {
    if (!given.equals(stored) && given.equals(shown)) {
      throw Refusal.field(pointer, "must be given anew: answers show a mask in its place");
    }
  }

  /** A patch of the URL alone must not hand the old receiver's secrets to a new one. */
  private static void requireNotElsewhere(Destination before, Destination after, JsonObject patch) {
    if (origin(before.url()).equals(origin(after.url()))) {
      return;
    }
    JsonObject given = patch.object("headers");
    after
        .headers()
        .forEach((name, value) -> {
          if (!Masking.header(name, value).equals(value) && !given.names(name)) {
            throw Refusal.field(
                "/headers", "must give " + name + " again, or as null: the URL leads elsewhere");
          }
        });
  }

  private static String origin(URI url) {
    return url.getScheme() + "://" + url.getRawAuthority();
  }
}
