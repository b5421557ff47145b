package dev.ebb.core.http;

import dev.ebb.core.signing.SecretBox;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * The value of a destination's header as it is stored, where {@link Masking} hides it.
 *
 * @param sealed the value, which a {@link SecretBox} opens
 * @param shown what people see in its place
 */
public record SealedHeader(String sealed, String shown) {

  /** Whether a value is stored sealed. */
  public static boolean isSecret(String name, String value) {
    return Masking.hides(name, value);
  }

  /** What a value is sealed for. No signing key has that id. */
  public static String context(String destination, String name) {
    return destination + "/header:" + name.toLowerCase(Locale.ROOT);
  }

  /**
   * Seals a value.
   *
   * @param nonce a random one
   */
  public static SealedHeader of(
      String destination, String name, String value, SecretBox box, byte[] nonce) {
    byte[] secret = value.getBytes(StandardCharsets.UTF_8);
    String sealed = box.seal(secret, nonce, context(destination, name));
    return new SealedHeader(sealed, Masking.header(name, value));
  }

  /** The value; empty if the box does not open it. */
  Optional<String> open(String destination, String name, SecretBox box) {
    return box.open(sealed, context(destination, name))
        .map(secret -> new String(secret, StandardCharsets.UTF_8));
  }

  /** Shows nothing sealed. */
  @Override
  public String toString() {
    return shown;
  }
}
