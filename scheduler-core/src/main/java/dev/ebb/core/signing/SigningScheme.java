package dev.ebb.core.signing;

import dev.ebb.core.InvalidInput;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How requests are signed: by an {@link Algorithm}, in a {@link Layout}. {@link #V1} and {@link
 * #V1A} are those of Standard Webhooks, {@link #RSA} is another in its manner; {@link #WECHATPAY}
 * and {@link #ALIPAY} are what receivers of those payment services verify already.
 *
 * <p>One more is one more constant with both.
 */
public enum SigningScheme {
  V1,
  V1A,
  RSA,
  WECHATPAY,
  ALIPAY;

  private Algorithm algorithm() {
    return switch (this) {
      case V1 -> new HmacSha256();
      case V1A -> new Ed25519();
      case RSA, WECHATPAY, ALIPAY -> new RsaSha256();
    };
  }

  private Layout layout() {
    return switch (this) {
      case V1, V1A, RSA -> new StandardWebhooks(word());
      case WECHATPAY -> new WechatPay();
      case ALIPAY -> new AlipayGlobal();
    };
  }

  /** As requests name it, such as {@code v1}. */
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

  /** A secret as its receiver needs it; {@code null} where nobody else has it. */
  public @Nullable String shown(byte[] secret) {
    return algorithm().shown(secret);
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
   * Refuses names that it lacks or has no place for.
   *
   * @throws InvalidInput that names the field
   */
  public void requireFits(SignerNames names) {
    layout().requireFits(names);
  }

  /** Whether a request can show the signatures of several keys. */
  boolean isList() {
    return layout().isList();
  }

  /**
   * The headers that show a signature, such as {@code webhook-signature} with {@code
   * v1,K5oZfzN9…=}.
   *
   * @param serial by which the receiver finds the key
   */
  Map<String, String> headers(
      byte[] secret, String serial, SignerNames names, UnsignedRequest request) {
    Layout layout = layout();
    try {
      byte[] signature = algorithm().sign(secret, layout.content(request, names));
      return layout.headers(serial, names, request, signature);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Java cannot sign by " + word(), impossible);
    }
  }
}
