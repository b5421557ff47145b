package dev.ebb.core.signing;

import dev.ebb.core.InvalidInput;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A scheme in the manner of <a href="https://www.standardwebhooks.com">Standard Webhooks</a>: what
 * is signed is the webhook's id, the attempt's time in Unix seconds and the body, with a dot
 * between them. {@link #V1} and {@link #V1A} are the specification's own; receivers pass over the
 * signatures of schemes that they do not know.
 *
 * <p>One more is one more constant with its {@link Algorithm}.
 */
public enum SigningScheme {
  V1,
  V1A,
  RSA;

  private Algorithm algorithm() {
    return switch (this) {
      case V1 -> new HmacSha256();
      case V1A -> new Ed25519();
      case RSA -> new RsaSha256();
    };
  }

  /** As signatures begin and requests name it, such as {@code v1}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<SigningScheme> named(String word) {
    return Arrays.stream(values()).filter(scheme -> scheme.word().equals(word)).findFirst();
  }

  /** Those of all. */
  public static List<String> words() {
    return Arrays.stream(values()).map(SigningScheme::word).toList();
  }

  /** A new key. */
  public NewKey random(SecureRandom random) {
    try {
      return algorithm().random(random);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Java cannot make a key of " + word(), impossible);
    }
  }

  /**
   * A key that the receiver knows already.
   *
   * @param encoding of the text, {@code null} for what is usual
   * @throws InvalidInput that names the field {@code secret} or {@code encoding}, and no part of
   *     the text
   */
  public NewKey given(String text, @Nullable SecretEncoding encoding) {
    return algorithm().given(text, encoding);
  }

  /**
   * A signature as the header {@code webhook-signature} lists it, such as {@code v1,K5oZfzN9…=}.
   *
   * @param id the header {@code webhook-id}
   * @param timestamp the header {@code webhook-timestamp}, in Unix seconds
   * @param body as it is sent
   */
  public String signature(byte[] secret, String id, long timestamp, byte[] body) {
    ByteArrayOutputStream content = new ByteArrayOutputStream(body.length + 64);
    content.writeBytes((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    content.writeBytes(body);
    try {
      byte[] signed = algorithm().sign(secret, content.toByteArray());
      return word() + "," + Base64.getEncoder().encodeToString(signed);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Java cannot sign by " + word(), impossible);
    }
  }
}
