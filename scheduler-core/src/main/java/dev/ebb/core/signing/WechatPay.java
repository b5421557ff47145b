package dev.ebb.core.signing;

import static java.util.Objects.requireNonNullElse;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * The layout of notifications of WeChat Pay's API v3, as its page "Signature Verification" has it:
 * the time in Unix seconds, a nonce and the body, each with a line feed behind it. The headers
 * begin as the signer is called there, {@value #PREFIX} unless it has a name of its own.
 */
final class WechatPay implements Layout {
  private static final String PREFIX = "Wechatpay";

  @Override
  public byte[] content(UnsignedRequest request, SignerNames names) {
    String head = request.at().getEpochSecond() + "\n" + request.nonce() + "\n";
    return request.bodyBetween(head.getBytes(StandardCharsets.UTF_8), new byte[] {'\n'});
  }

  @Override
  public Map<String, String> headers(
      String serial, SignerNames names, UnsignedRequest request, byte[] signature) {
    String prefix = requireNonNullElse(names.headerPrefix(), PREFIX);
    return Map.of(
        prefix + "-Timestamp",
        String.valueOf(request.at().getEpochSecond()),
        prefix + "-Nonce",
        request.nonce(),
        prefix + "-Serial",
        serial,
        prefix + "-Signature",
        Base64.getEncoder().encodeToString(signature));
  }

  @Override
  public boolean isList() {
    return false;
  }

  @Override
  public void requireFits(SignerNames names) {
    names.requireNone("clientId", names.clientId());
  }
}
