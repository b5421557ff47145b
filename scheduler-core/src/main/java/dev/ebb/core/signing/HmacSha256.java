package dev.ebb.core.signing;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** HMAC-SHA256 with a secret that the receiver has, too. */
final class HmacSha256 implements Algorithm {
  private static final String NAME = "HmacSHA256";
  private static final String PREFIX = "whsec_";
  private static final int BYTES = 32;
  private static final int LEAST = 16;
  private static final int MOST = 128;

  @Override
  public byte[] sign(byte[] secret, byte[] content) throws GeneralSecurityException {
    Mac mac = Mac.getInstance(NAME);
    mac.init(new SecretKeySpec(secret, NAME));
    return mac.doFinal(content);
  }

  @Override
  public NewKey random(SecureRandom random) {
    byte[] secret = new byte[BYTES];
    random.nextBytes(secret);
    return NewKey.shared(secret, shown(secret));
  }

  @Override
  public String shown(byte[] secret) {
    return PREFIX + Base64.getEncoder().encodeToString(secret);
  }

  @Override
  public NewKey given(String text, @Nullable SecretEncoding encoding) {
    byte[] secret = bytes(text, Objects.requireNonNullElse(encoding, SecretEncoding.BASE64));
    require(
        secret.length >= LEAST && secret.length <= MOST,
        "secret",
        "must be " + LEAST + " to " + MOST + " bytes");
    return NewKey.shared(secret, null);
  }

  private static byte[] bytes(String text, SecretEncoding encoding) {
    try {
      return switch (encoding) {
        case BASE64 ->
            Base64.getDecoder()
                .decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text);
        case HEX -> HexFormat.of().parseHex(text);
        case UTF8 -> text.getBytes(StandardCharsets.UTF_8);
      };
    } catch (IllegalArgumentException _) {
      throw new InvalidInput("secret", "must be " + encoding.word());
    }
  }
}
