package dev.ebb.core.signing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/** A request that tests sign: that of the example of Standard Webhooks' specification. */
final class Requests {
  static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  static final long AT = 1_614_265_330;
  static final String BODY = "{\"test\": 2432232314}";

  private Requests() {}

  static UnsignedRequest of(String body) {
    return new UnsignedRequest(
        ID,
        Instant.ofEpochSecond(AT, 120_000_000),
        "593bec0c930bf1afeb40b4a08c8fb242",
        "POST",
        URI.create("https://acme.example/pay/notify%20it?shop=7&x=%2F"),
        body.getBytes(UTF_8));
  }

  static Map<String, String> headers(SigningScheme scheme, byte[] secret) {
    return scheme.headers(secret, "7", new SignerNames(null, null, "SHOP"), of(BODY));
  }

  static String signature(SigningScheme scheme, byte[] secret) {
    return Objects.requireNonNull(headers(scheme, secret).get("webhook-signature"));
  }
}
