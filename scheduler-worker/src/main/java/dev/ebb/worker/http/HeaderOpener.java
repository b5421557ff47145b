package dev.ebb.worker.http;

import dev.ebb.core.http.Destination;
import dev.ebb.core.http.SealedHeader;
import dev.ebb.core.http.SecretHeaders;
import dev.ebb.core.job.Failure;
import dev.ebb.core.signing.SecretBox;
import java.util.Map;

/** Opens the secret headers of destinations: none gets a delivery without one of them. */
final class HeaderOpener {
  private final SecretBox box;

  HeaderOpener(SecretBox box) {
    this.box = box;
  }

  /** What comes of opening them. */
  sealed interface Result {}

  /** The destination with all its headers. */
  record Opened(Destination destination) implements Result {}

  /** Nothing may be sent: a value is damaged. */
  record Refused(Failure failure) implements Result {}

  /** Nothing may be sent by this node: it lacks the key that sealed one. */
  record NoKey() implements Result {}

  /**
   * Opens those of a destination.
   *
   * @param queue its name, to which they are bound
   */
  Result open(String queue, Destination destination) {
    Destination opened = SecretHeaders.open(queue, destination, box);
    return opened.sealedHeaders().entrySet().stream()
        .findFirst()
        .<Result>map(this::unopened)
        .orElseGet(() -> new Opened(opened));
  }

  private Result unopened(Map.Entry<String, SealedHeader> header) {
    return box.hasKeyOf(header.getValue().sealed())
        ? new Refused(
            NoAnswer.damaged("header_sealed", "the destination's header " + header.getKey()))
        : new NoKey();
  }
}
