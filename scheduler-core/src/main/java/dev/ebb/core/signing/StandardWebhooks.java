package dev.ebb.core.signing;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * The layout of <a href="https://www.standardwebhooks.com">Standard Webhooks</a> 1.0.0: what is
 * signed is the webhook's id, the attempt's time in Unix seconds and the body, with a dot between
 * them. Receivers pass over the signatures of schemes that they do not know.
 */
final class StandardWebhooks implements Layout {
  private final String scheme;

  /**
   * That of a scheme.
   *
   * @param scheme with which its signatures begin
   */
  StandardWebhooks(String scheme) {
    this.scheme = scheme;
  }

  @Override
  public byte[] content(UnsignedRequest request, SignerNames names) {
    String head = request.id() + "." + request.at().getEpochSecond() + ".";
    return request.bodyBetween(head.getBytes(StandardCharsets.UTF_8), new byte[0]);
  }

  @Override
  public Map<String, String> headers(
      String serial, SignerNames names, UnsignedRequest request, byte[] signature) {
    String text = scheme + "," + Base64.getEncoder().encodeToString(signature);
    return Map.of("webhook-signature", text);
  }

  @Override
  public boolean isList() {
    return true;
  }

  @Override
  public void requireFits(SignerNames names) {
    names.requireNone("serial", names.serial());
    names.requireNone("headerPrefix", names.headerPrefix());
    names.requireNone("clientId", names.clientId());
  }
}
