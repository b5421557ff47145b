package dev.ebb.api.destinations;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.signing.SigningScheme;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.EdECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A signing key that is to be stored: random, or one that a receiver has already. */
final class NewKey {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 32;
  private static final int LEAST = 16;
  private static final int MOST = 128;
  private static final int LONGEST = 512;
  private static final String SECRET = "whsec_";

  private final SigningScheme scheme;
  private final byte[] secret;
  private final @Nullable String shown;
  private final @Nullable String publicKey;

  private NewKey(
      SigningScheme scheme, byte[] secret, @Nullable String shown, @Nullable String publicKey) {
    this.scheme = scheme;
    this.secret = secret;
    this.shown = shown;
    this.publicKey = publicKey;
  }

  /** How the text of a given secret is turned into its bytes. */
  enum Encoding {
    BASE64,
    HEX,
    UTF8
  }

  SigningScheme scheme() {
    return scheme;
  }

  /** The bytes that sign. */
  byte[] secret() {
    return secret;
  }

  /** The secret as its receiver needs it; {@code null} for nothing to show. */
  @Nullable String shown() {
    return shown;
  }

  /** {@code null} for a scheme without one. */
  @Nullable String publicKey() {
    return publicKey;
  }

  static byte[] random(int length) {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  static NewKey random(SigningScheme scheme) {
    return switch (scheme) {
      case V1 -> {
        byte[] secret = random(BYTES);
        yield new NewKey(scheme, secret, SECRET + Base64.getEncoder().encodeToString(secret), null);
      }
      case V1A -> ed25519();
    };
  }

  private static NewKey ed25519() {
    try {
      KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      byte[] secret = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
      // The last bytes of the X.509 form are the key itself (RFC 8410).
      byte[] encoded = pair.getPublic().getEncoded();
      byte[] key = Arrays.copyOfRange(encoded, encoded.length - BYTES, encoded.length);
      String shown = "whpk_" + Base64.getEncoder().encodeToString(key);
      return new NewKey(SigningScheme.V1A, secret, null, shown);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java has Ed25519", impossible);
    }
  }

  /**
   * A secret that the receiver has.
   *
   * @throws InvalidInput that names the field {@code secret}
   */
  static NewKey given(SigningScheme scheme, String text, Encoding encoding) {
    require(text.length() <= LONGEST, "secret", "must be at most " + LONGEST + " characters");
    require(scheme == SigningScheme.V1, "secret", "must be absent with v1a");
    byte[] secret = bytes(text, encoding);
    require(
        secret.length >= LEAST && secret.length <= MOST,
        "secret",
        "must be " + LEAST + " to " + MOST + " bytes");
    return new NewKey(scheme, secret, null, null);
  }

  private static byte[] bytes(String text, Encoding encoding) {
    try {
      return switch (encoding) {
        case BASE64 ->
            Base64.getDecoder()
                .decode(text.startsWith(SECRET) ? text.substring(SECRET.length()) : text);
        case HEX -> HexFormat.of().parseHex(text);
        case UTF8 -> text.getBytes(StandardCharsets.UTF_8);
      };
    } catch (IllegalArgumentException _) {
      throw new InvalidInput("secret", "must be " + encoding.name().toLowerCase(Locale.ROOT));
    }
  }
}
