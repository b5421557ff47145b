package dev.ebb.core.signing;

import dev.ebb.core.InvalidInput;
import java.util.Map;

/** What of a request a scheme signs, and in which headers the signature stands. */
sealed interface Layout permits StandardWebhooks, WechatPay, AlipayGlobal {
  /** The bytes that are signed. */
  byte[] content(UnsignedRequest request, SignerNames names);

  /**
   * The headers that show a signature.
   *
   * @param serial by which the receiver finds the key
   */
  Map<String, String> headers(
      String serial, SignerNames names, UnsignedRequest request, byte[] signature);

  /** Whether a request can show the signatures of several keys. */
  boolean isList();

  /**
   * Refuses names that it lacks or has no place for.
   *
   * @throws InvalidInput that names the field
   */
  void requireFits(SignerNames names);
}
