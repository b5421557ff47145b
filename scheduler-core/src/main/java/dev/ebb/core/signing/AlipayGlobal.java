package dev.ebb.core.signing;

import static dev.ebb.core.InvalidInput.require;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * The layout of notifications of Alipay's global APIs (Antom), as its page "Sign a request and
 * verify the signature" has it: the method and the path with its query in one line, and behind it
 * the client's id, the time in Unix milliseconds and the body, with a dot between them. The
 * signature stands in base64 with percent signs, as in a URL.
 */
final class AlipayGlobal implements Layout {
  @Override
  public byte[] content(UnsignedRequest request, SignerNames names) {
    String head =
        request.method()
            + " "
            + request.target()
            + "\n"
            + names.clientId()
            + "."
            + request.at().toEpochMilli()
            + ".";
    return request.bodyBetween(head.getBytes(StandardCharsets.UTF_8), new byte[0]);
  }

  @Override
  public Map<String, String> headers(
      String serial, SignerNames names, UnsignedRequest request, byte[] signature) {
    String text =
        URLEncoder.encode(Base64.getEncoder().encodeToString(signature), StandardCharsets.UTF_8);
    return Map.of(
        "client-id",
        String.valueOf(names.clientId()),
        "request-time",
        String.valueOf(request.at().toEpochMilli()),
        "signature",
        "algorithm=RSA256,keyVersion=" + serial + ",signature=" + text);
  }

  @Override
  public boolean isList() {
    return false;
  }

  @Override
  public void requireFits(SignerNames names) {
    names.requireNone("headerPrefix", names.headerPrefix());
    require(names.clientId() != null, "clientId", "must be given with alipay");
  }
}
