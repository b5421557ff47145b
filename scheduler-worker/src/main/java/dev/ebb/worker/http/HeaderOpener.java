package dev.ebb.worker.http;

import dev.ebb.core.http.Destination;
import dev.ebb.core.http.SealedHeader;
import dev.ebb.core.http.SecretHeaders;
import dev.ebb.core.signing.SecretBox;
import java.util.Map;

/** Opens the secret headers of destinations: none gets a delivery without one of them. */
final class HeaderOpener {
  private final SecretBox box;

  HeaderOpener(SecretBox box) {
    this.box = box;
  }

  /**
   * The destination with all its headers.
   *
   * @param queue its name, to which they are bound
   */
  Secured<Destination> open(String queue, Destination destination) {
    Destination opened = SecretHeaders.open(queue, destination, box);
    return opened.sealedHeaders().entrySet().stream()
        .findFirst()
        .map(this::unopened)
        .orElseGet(() -> new Secured.Ready<>(opened));
  }

  private Secured<Destination> unopened(Map.Entry<String, SealedHeader> header) {
    String what = "the destination's header " + header.getKey();
    return Secured.unopened(box, header.getValue().sealed(), "header_sealed", what);
  }
}
