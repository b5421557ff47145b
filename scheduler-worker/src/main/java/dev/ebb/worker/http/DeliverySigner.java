package dev.ebb.worker.http;

import dev.ebb.core.http.Destination;
import dev.ebb.core.job.Failure;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.signing.SigningKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Signs deliveries with every key of their destination that is active. One that has keys never gets
 * an unsigned delivery.
 */
final class DeliverySigner {
  private final SecretBox box;

  DeliverySigner(SecretBox box) {
    this.box = box;
  }

  /** What comes of signing. */
  sealed interface Result {}

  /**
   * What a request is signed with.
   *
   * @param header the value of {@code webhook-signature}; empty for a destination without keys
   * @param keys the ids of the keys
   */
  record Signed(String header, List<String> keys) implements Result {
    static final Signed NOT = new Signed("", List.of());
  }

  /** Nothing may be sent: a key cannot be opened here, or all have expired. */
  record Refused(Failure failure) implements Result {}

  /** The ids of the keys that open others. */
  List<String> keys() {
    return box.ids();
  }

  /**
   * Signs a request.
   *
   * @param queue the destination's name, to which its keys are bound
   * @param id the header {@code webhook-id}
   */
  Result sign(String queue, Destination destination, String id, Instant now, byte[] body) {
    List<SigningKey> active =
        destination.signing().stream().filter(key -> key.isActive(now)).toList();
    if (active.isEmpty() && !destination.signing().isEmpty()) {
      return new Refused(
          new Failure(
              "signing_keys_expired",
              "all signing keys of the destination have expired: add one, or delete them"));
    }
    List<String> signatures = new ArrayList<>();
    for (SigningKey key : active) {
      Optional<byte[]> secret = box.open(key.sealed(), key.context(queue));
      if (secret.isEmpty()) {
        return new Refused(
            new Failure(
                "signing_key_sealed",
                "the destination's signing key "
                    + key.id()
                    + " cannot be opened: this node's"
                    + " EBB_SECRETS_KEY does not contain the key that sealed it"));
      }
      signatures.add(key.scheme().signature(secret.get(), id, now.getEpochSecond(), body));
    }
    return new Signed(String.join(" ", signatures), active.stream().map(SigningKey::id).toList());
  }
}
