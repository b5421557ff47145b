package dev.ebb.core.signing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A scheme of <a href="https://www.standardwebhooks.com">Standard Webhooks</a>: what is signed is
 * the webhook's id, the attempt's time in Unix seconds and the body, with a dot between them.
 */
public enum SigningScheme {
  /** HMAC-SHA256 with a secret that the receiver has, too. */
  V1 {
    @Override
    byte[] sign(byte[] secret, byte[] content) throws GeneralSecurityException {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return mac.doFinal(content);
    }
  },
  /** Ed25519 with a private key of 32 bytes, of which the receiver has the public one. */
  V1A {
    @Override
    byte[] sign(byte[] secret, byte[] content) throws GeneralSecurityException {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(
          KeyFactory.getInstance("Ed25519")
              .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, secret)));
      signature.update(content);
      return signature.sign();
    }
  };

  abstract byte[] sign(byte[] secret, byte[] content) throws GeneralSecurityException;

  /** {@code v1} or {@code v1a}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<SigningScheme> named(String word) {
    return Arrays.stream(values()).filter(scheme -> scheme.word().equals(word)).findFirst();
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
      byte[] signed = sign(secret, content.toByteArray());
      return word() + "," + Base64.getEncoder().encodeToString(signed);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Java cannot sign by " + word(), impossible);
    }
  }
}
