package dev.ebb.api.destinations;

import static java.util.Objects.requireNonNull;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.Answer;
import dev.ebb.api.queues.QueueResource;
import dev.ebb.contract.Destination;
import dev.ebb.contract.DestinationHealth;
import dev.ebb.contract.DestinationList;
import dev.ebb.contract.KeyShare;
import dev.ebb.contract.Queue;
import dev.ebb.core.access.Scope;
import dev.ebb.core.http.HttpUrl;
import dev.ebb.core.http.Masking;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.db.json.CircuitRuleJson;
import dev.ebb.db.json.DestinationJson;
import dev.ebb.db.json.ResponseRulesJson;
import dev.ebb.db.queue.QueuePage;
import dev.ebb.db.queue.QueueView;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Shows destinations, without their secrets: a path may be one, so who may not read payloads sees
 * of a URL where it leads, and of headers their names.
 */
final class DestinationResource {
  private DestinationResource() {}

  static DestinationList page(QueuePage page, Caller caller) {
    return new DestinationList(
        page.queues().stream()
            .filter(queue -> queue.settings().destination() != null)
            .map(queue -> of(queue, caller))
            .toList(),
        page.next());
  }

  static Destination of(QueueView view, Caller caller) {
    return of(view, null, caller);
  }

  static Destination of(QueueView view, @Nullable DestinationHealth health, Caller caller) {
    dev.ebb.core.http.Destination address = requireNonNull(view.settings().destination());
    Queue queue = QueueResource.of(view);
    return new Destination(
        queue.name(),
        caller.may(Scope.PAYLOAD_READ) ? DestinationJson.version(address) : null,
        url(address.url(), caller),
        address.method(),
        headers(address.shownHeaders(), caller),
        ResponseRulesJson.shown(address.rules().success()),
        ResponseRulesJson.name(address.rules().success()),
        ResponseRulesJson.shown(address.rules().classes()),
        address.rules().result().isEmpty() ? null : new TreeMap<>(address.rules().result()),
        address.timeout(),
        CircuitRuleJson.shown(address.circuit()),
        address.labels(),
        address.signing().stream().map(DestinationResource::of).toList(),
        TlsResource.ofOrNull(address.tls()),
        queue.paused(),
        queue.pause(),
        queue.policy(),
        queue.policyName(),
        queue.rateLimit(),
        queue.maxConcurrency(),
        queue.maxDepth(),
        queue.weight(),
        queue.labelsFrom(),
        queue.ordering(),
        requireNonNull(queue.createdAt()),
        health);
  }

  static dev.ebb.contract.SigningKey of(SigningKey key) {
    return new dev.ebb.contract.SigningKey(
        key.id(),
        key.scheme().word(),
        key.publicKey(),
        key.names().serial(),
        key.names().headerPrefix(),
        key.names().clientId(),
        share(key.share()),
        Answer.shown(key.createdAt()),
        Answer.shownOrNull(key.expiresAt()));
  }

  private static @Nullable KeyShare share(dev.ebb.core.signing.@Nullable KeyShare share) {
    return share == null
        ? null
        : new KeyShare(
            share.percent(), Answer.shown(share.since()), Answer.shownOrNull(share.wholeAt()));
  }

  /** A URL as the caller may see it. */
  static String url(URI url, Caller caller) {
    String whole = url.toString();
    String origin = HttpUrl.origin(url);
    boolean hasPath = whole.length() > origin.length() && !whole.equals(origin + "/");
    return caller.may(Scope.PAYLOAD_READ) || !hasPath
        ? Masking.url(whole)
        : origin + "/" + Masking.MASK;
  }

  private static Map<String, String> headers(Map<String, String> shown, Caller caller) {
    if (!caller.may(Scope.PAYLOAD_READ)) {
      shown.replaceAll((_, _) -> Masking.MASK);
    }
    return shown;
  }
}
