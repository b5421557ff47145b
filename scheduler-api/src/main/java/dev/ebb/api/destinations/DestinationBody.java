package dev.ebb.api.destinations;

import static dev.ebb.core.http.SealedHeader.isSecret;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.MergePatch;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.queues.QueueBody;
import dev.ebb.api.queues.QueueResource;
import dev.ebb.contract.Queue;
import dev.ebb.core.access.Scope;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.HttpDelivery;
import dev.ebb.core.http.HttpUrl;
import dev.ebb.core.http.Masking;
import dev.ebb.core.http.SealedHeader;
import dev.ebb.db.json.DestinationJson;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.QueueView;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
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
  static QueueSettings patched(QueueView before, JsonObject patch, Caller caller) {
    patch.allow(FIELDS);
    Destination address = Objects.requireNonNull(before.settings().destination());
    JsonObject meant = meant(patch, address);
    QueueSettings after = read(MergePatch.apply(text(before, address), meant));
    Destination changed =
        withKept(address.sealedHeaders(), Objects.requireNonNull(after.destination()), meant);
    if (!HttpUrl.origin(address.url()).equals(HttpUrl.origin(changed.url()))) {
      requireSecretsAnew(changed, meant, caller);
    }
    return after.to(changed);
  }

  /** With the sealed headers that the patch does not name: nobody has to open them for that. */
  private static Destination withKept(
      Map<String, SealedHeader> sealed, Destination changed, JsonObject meant) {
    if (meant.names("headers") && !meant.has("headers")) {
      return changed;
    }
    JsonObject given = meant.object("headers");
    Map<String, SealedHeader> kept = new TreeMap<>(sealed);
    kept.keySet().removeIf(given::names);
    if (changed.headers().size() + kept.size() > HttpDelivery.MAX_HEADERS) {
      throw Refusal.field(
          "/headers",
          "must be at most %s with the %s that stay"
              .formatted(HttpDelivery.MAX_HEADERS, kept.size()));
    }
    return changed.with(changed.headers(), kept);
  }

  /**
   * The patch without a URL that is null, and with the names of headers as they are stored: their
   * case does not matter.
   */
  private static JsonObject meant(JsonObject patch, Destination address) {
    ObjectNode tree = (ObjectNode) JsonMapper.shared().readTree(patch.text());
    if (!patch.has("url")) {
      tree.remove("url");
    }
    if (tree.path("headers").isObject()) {
      Set<Map.Entry<String, JsonNode>> given = tree.path("headers").properties();
      ObjectNode headers = JsonMapper.shared().createObjectNode();
      given.forEach(one -> headers.set(stored(one.getKey(), address), one.getValue()));
      tree.set("headers", headers);
    }
    return JsonObject.parse(tree.toString());
  }

  private static String stored(String header, Destination address) {
    return address.shownHeaders().keySet().stream()
        .filter(header::equalsIgnoreCase)
        .findFirst()
        .orElse(header);
  }

  /** The destination as the body that would create it, without what is sealed. */
  private static String text(QueueView view, Destination address) {
    Queue queue = QueueResource.of(view);
    JsonMapper json = JsonMapper.shared();
    ObjectNode body = DestinationJson.write(address.with(address.headers(), Map.of()));
    putIfThere(body, "policy", queue.policyName() == null ? queue.policy() : queue.policyName());
    putIfThere(body, "rateLimit", queue.rateLimit());
    putIfThere(body, "maxConcurrency", queue.maxConcurrency());
    putIfThere(body, "maxDepth", queue.maxDepth());
    putIfThere(body, "weight", queue.weight());
    putIfThere(body, "labelsFrom", queue.labelsFrom());
    putIfThere(body, "ordering", queue.ordering());
    return json.writeValueAsString(body);
  }

  private static void putIfThere(ObjectNode body, String field, @Nullable Object value) {
    if (value != null) {
      body.set(field, JsonMapper.shared().valueToTree(value));
    }
  }

  /** Refuses masks in the place of what is stored, whoever saw them. */
  static void requireUnmasked(@Nullable Destination stored, Destination given) {
    if (stored == null) {
      return;
    }
    requireNoMask("/url", stored.url().toString(), given.url().toString());
    given
        .headers()
        .forEach(
            (name, value) -> requireNoMask("/headers/" + name, stored.headers().get(name), value));
  }

  private static void requireNoMask(String pointer, @Nullable String stored, String given) {
    if (given.contains(Masking.MASK) && !given.equals(stored)) {
      throw Refusal.field(pointer, "must be given anew: answers show a mask in its place");
    }
  }

  /** A patch of the URL alone must not hand the old receiver's secrets to a new one. */
  private static void requireSecretsAnew(Destination after, JsonObject patch, Caller caller) {
    JsonObject given = patch.object("headers");
    Set<String> hidden = new TreeSet<>(after.sealedHeaders().keySet());
    after.headers().entrySet().stream()
        .filter(one -> !caller.may(Scope.PAYLOAD_READ) || isSecret(one.getKey(), one.getValue()))
        .forEach(one -> hidden.add(one.getKey()));
    hidden.stream()
        .filter(name -> !given.names(name))
        .findFirst()
        .ifPresent(name -> {
          throw Refusal.field(
              "/headers", "must give " + name + " again, or as null: the URL leads elsewhere");
        });
  }
}
