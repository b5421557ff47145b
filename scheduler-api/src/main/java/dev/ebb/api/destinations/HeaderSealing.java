package dev.ebb.api.destinations;

import dev.ebb.api.secrets.Sealing;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.SealedHeader;
import dev.ebb.core.http.SecretHeaders;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.db.queue.Queues;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts the secret headers of destinations before they are stored. In a cluster without a key
 * they are stored in clear.
 */
final class HeaderSealing {
  private final Queues queues;
  private final SecretBox box;

  HeaderSealing(Queues queues, SecretBox box) {
    this.queues = queues;
    this.box = box;
  }

  /**
   * The destination as it is to be stored. What is as before stays so to the byte.
   *
   * @throws dev.ebb.api.problem.Refusal on a node without a key, if other nodes have one
   */
  Destination sealed(String name, Destination given) throws SQLException {
    boolean hasSecret =
        given.headers().entrySet().stream()
            .anyMatch(one -> SealedHeader.isSecret(one.getKey(), one.getValue()));
    if (!hasSecret) {
      return given;
    }
    if (box.canSeal()) {
      return SecretHeaders.seal(name, given, known(name), box, Sealing::nonce);
    }
    if (queues.seals()) {
      throw Sealing.noKey();
    }
    return given;
  }

  private Map<String, SealedHeader> known(String name) throws SQLException {
    return queues
        .find(name)
        .map(queue -> queue.settings().destination())
        .map(Destination::sealedHeaders)
        .orElse(Map.of());
  }

  /** The stored destination, with those of its headers that this node can open. */
  @Nullable Destination opened(String name, @Nullable Destination stored) {
    return stored == null ? null : SecretHeaders.open(name, stored, box);
  }
}
