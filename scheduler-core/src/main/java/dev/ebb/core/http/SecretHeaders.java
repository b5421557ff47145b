package dev.ebb.core.http;

import dev.ebb.core.signing.SecretBox;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Seals the secret headers of destinations, and opens them. */
public final class SecretHeaders {
  private SecretHeaders() {}

  /**
   * The destination with all its secret headers sealed. One whose value the key that seals now has
   * sealed already stays as it is.
   *
   * @param name that of the destination, to which they are bound
   * @param known the sealed headers that it has now
   * @param nonces random ones
   */
  public static Destination seal(
      String name,
      Destination destination,
      Map<String, SealedHeader> known,
      SecretBox box,
      Supplier<byte[]> nonces) {
    Map<String, String> clear = new TreeMap<>();
    Map<String, SealedHeader> sealed = new TreeMap<>(destination.sealedHeaders());
    destination
        .headers()
        .forEach((header, value) -> {
          if (SealedHeader.isSecret(header, value)) {
            SealedHeader before = known.get(header);
            boolean stays =
                before != null
                    && box.isCurrent(before.sealed())
                    && before.open(name, header, box).filter(value::equals).isPresent();
            sealed.put(
                header, stays ? before : SealedHeader.of(name, header, value, box, nonces.get()));
          } else {
            clear.put(header, value);
          }
        });
    return destination.with(clear, sealed);
  }

  /** The destination with those of its headers opened that the box opens. */
  public static Destination open(String name, Destination destination, SecretBox box) {
    if (destination.sealedHeaders().isEmpty()) {
      return destination;
    }
    Map<String, String> clear = new TreeMap<>(destination.headers());
    Map<String, SealedHeader> sealed = new TreeMap<>(destination.sealedHeaders());
    destination
        .sealedHeaders()
        .forEach((header, value) ->
            value
                .open(name, header, box)
                .ifPresent(opened -> {
                  clear.put(header, opened);
                  sealed.remove(header);
                }));
    return destination.with(clear, sealed);
  }
}
