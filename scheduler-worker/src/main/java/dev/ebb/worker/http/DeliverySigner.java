package dev.ebb.worker.http;

import dev.ebb.core.http.Destination;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.signing.UnsignedRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Signs deliveries with the keys of their destination that {@link SigningKey#chosen} names. One
 * that has keys never gets an unsigned delivery.
 */
final class DeliverySigner {
  private final SecretBox box;

  DeliverySigner(SecretBox box) {
    this.box = box;
  }

  /**
   * What a request is signed with.
   *
   * @param headers that show the signatures; none for a destination without keys
   * @param keys the ids of the keys, those of {@code webhook-signature} first, in its order
   */
  record Signed(Map<String, String> headers, List<String> keys) {
    static final Signed NOT = new Signed(Map.of(), List.of());
  }

  /** The ids of the keys that open others. */
  List<String> keys() {
    return box.ids();
  }

  /**
   * Signs a request.
   *
   * @param queue the destination's name, to which its keys are bound
   */
  Secured<Signed> sign(String queue, Destination destination, UnsignedRequest request) {
    List<SigningKey> signing =
        SigningKey.chosen(destination.signing(), request.id(), request.at()).stream()
            .sorted(Comparator.comparing(SigningKey::isListed).reversed())
            .toList();
    if (signing.isEmpty() && !destination.signing().isEmpty()) {
      return Secured.refused(
          "signing_keys_expired",
          "all signing keys of the destination have expired: add one, or delete them");
    }
    Map<String, String> headers = new TreeMap<>();
    List<String> ids = new ArrayList<>();
    for (SigningKey key : signing) {
      Optional<byte[]> secret = box.open(key.sealed(), key.context(queue));
      if (secret.isEmpty()) {
        String what = "the destination's signing key " + key.id();
        return Secured.unopened(box, key.sealed(), "signing_key_sealed", what);
      }
      key.headers(secret.get(), request)
          .forEach((name, value) -> headers.merge(name, value, (all, one) -> all + " " + one));
      ids.add(key.id());
    }
    return new Secured.Ready<>(new Signed(headers, ids));
  }
}
