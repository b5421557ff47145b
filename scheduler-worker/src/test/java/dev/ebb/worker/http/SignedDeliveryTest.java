package dev.ebb.worker.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.http.SealedHeader;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.signing.SignerNames;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.signing.SigningScheme;
import dev.ebb.db.TestSecrets;
import dev.ebb.db.json.DestinationJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a receiver verifies with the reference library of Standard Webhooks. */
class SignedDeliveryTest {
  private static final byte[] OLD = "the old secret, of thirty bytes".getBytes(UTF_8);
  private static final byte[] NEW = "the new secret, of thirty bytes".getBytes(UTF_8);
  private static final String PAYLOAD =
      "{\"body\": {\"note\":\"gr\u00fc\u00dfe \\u20ac\", \"n\":1.00}}";

  private final HttpServer server;
  private final List<Got> got = new CopyOnWriteArrayList<>();
  private final HttpHandler handler = handler(TestSecrets.BOX);
  private @Nullable FakeContext last;

  /** A request as it came. */
  private record Got(String target, Map<String, List<String>> headers, String body) {
    String header(String name) {
      return Objects.requireNonNull(headers.get(name), name).getFirst();
    }
  }

  SignedDeliveryTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
  }

  @BeforeEach
  void start() {
    server.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          got.add(
              new Got(
                  exchange.getRequestURI().toString(),
                  Map.copyOf(exchange.getRequestHeaders()),
                  new String(body, UTF_8)));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    handler.close();
    server.stop(0);
  }

  private static HttpHandler handler(SecretBox box) {
    return new HttpHandler(HttpHandlerConfig.defaults().withAllow("127.0.0.1"), box);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  private static SigningKey key(
      String id, SigningScheme scheme, byte[] secret, @Nullable Instant expiresAt) {
    return new SigningKey(id, scheme, sealed(id, secret), null, Instant.EPOCH, expiresAt);
  }

  private static SigningKey key(String id, SigningScheme scheme, KeyPair pair, SignerNames names) {
    String sealed = sealed(id, pair.getPrivate().getEncoded());
    return new SigningKey(id, scheme, sealed, null, Instant.EPOCH, null, names, null);
  }

  private static String sealed(String id, byte[] secret) {
    return TestSecrets.seal(secret, SigningKey.context("default", id));
  }

  private static KeyPair pair() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  private static boolean isSigned(KeyPair pair, String content, String base64) throws Exception {
    Signature rsa = Signature.getInstance("SHA256withRSA");
    rsa.initVerify(pair.getPublic());
    rsa.update(content.getBytes(UTF_8));
    return rsa.verify(Base64.getDecoder().decode(base64));
  }

  private Outcome deliver(HttpHandler handler, String payload, SigningKey... keys)
      throws Exception {
    return deliver(handler, url(), payload, keys);
  }

  private Outcome deliver(HttpHandler handler, String url, String payload, SigningKey... keys)
      throws Exception {
    Destination destination =
        new Destination(URI.create(url), null, Map.of(), ResponseRules.DEFAULT, null, Map.of());
    FakeContext context = new FakeContext(payload, 1, Duration.ofSeconds(20));
    ObjectNode stored = DestinationJson.write(destination);
    stored.set("signing", JsonMapper.shared().readTree(DestinationJson.keys(List.of(keys))));
    context.destination = stored.toString();
    last = context;
    return handler.run(context);
  }

  private static void verify(byte[] secret, Got request) throws WebhookVerificationException {
    new Webhook(Base64.getEncoder().encodeToString(secret))
        .verify(request.body(), request.headers());
  }

  @Test
  void a_receiver_that_has_either_key_verifies_and_one_that_has_another_does_not()
      throws Exception {
    Instant later = Instant.now().plus(Duration.ofHours(1));
    SigningKey[] keys = {
      key("key_new", SigningScheme.V1, NEW, null), key("key_old", SigningScheme.V1, OLD, later)
    };

    assertThat(deliver(handler, PAYLOAD, keys)).isEqualTo(Outcome.completed());

    Got request = got.getFirst();
    assertThat(request.body()).isEqualTo("{\"note\":\"gr\u00fc\u00dfe \\u20ac\", \"n\":1.00}");
    verify(OLD, request);
    verify(NEW, request);
    assertThatThrownBy(() -> verify("another secret of some bytes".getBytes(UTF_8), request))
        .isInstanceOf(WebhookVerificationException.class);
    Got tampered =
        new Got(request.target(), request.headers(), request.body().replace("1.00", "9.00"));
    assertThatThrownBy(() -> verify(NEW, tampered))
        .isInstanceOf(WebhookVerificationException.class);
  }

  @Test
  void a_receiver_verifies_by_the_scheme_that_it_knows_and_passes_over_the_others()
      throws Exception {
    KeyPair pair = pair();

    Outcome _ =
        deliver(
            handler,
            PAYLOAD,
            key("key_rsa", SigningScheme.RSA, pair.getPrivate().getEncoded(), null),
            key("key_new", SigningScheme.V1, NEW, null));

    Got request = got.getFirst();
    verify(NEW, request);
    assertThat(request.headers().get("Ebb-keys")).containsExactly("key_rsa key_new");
    String[] signatures = request.header("Webhook-signature").split(" ");
    assertThat(signatures).hasSize(2);
    assertThat(signatures[0]).startsWith("rsa,");
    String timestamp = request.header("Webhook-timestamp");
    String id = request.header("Webhook-id");
    String content = id + "." + timestamp + "." + request.body();
    assertThat(isSigned(pair, content, signatures[0].substring(4))).isTrue();
  }

  @Test
  void receivers_of_payment_services_verify_what_they_know_beside_other_signatures()
      throws Exception {
    KeyPair wechat = pair();
    KeyPair alipay = pair();

    Outcome _ =
        deliver(
            handler,
            url() + "pay%20it?shop=7",
            PAYLOAD,
            key("key_w", SigningScheme.WECHATPAY, wechat, new SignerNames("5157F0", null, null)),
            key("key_new", SigningScheme.V1, NEW, null),
            key("key_a", SigningScheme.ALIPAY, alipay, new SignerNames(null, null, "SHOP_7")));

    Got request = got.getFirst();
    verify(NEW, request);
    assertThat(request.header("Ebb-keys")).isEqualTo("key_new key_w key_a");
    assertThat(request.header("Wechatpay-serial")).isEqualTo("5157F0");
    assertThat(request.header("Wechatpay-nonce")).matches("[0-9a-f]{32}");
    String lines =
        request.header("Wechatpay-timestamp")
            + "\n"
            + request.header("Wechatpay-nonce")
            + "\n"
            + request.body()
            + "\n";
    assertThat(isSigned(wechat, lines, request.header("Wechatpay-signature"))).isTrue();
    String begin = "algorithm=RSA256,keyVersion=key_a,signature=";
    String signature = request.header("Signature");
    assertThat(signature).startsWith(begin);
    String content =
        "POST "
            + request.target()
            + "\nSHOP_7."
            + request.header("Request-time")
            + "."
            + request.body();
    assertThat(request.target()).isEqualTo("/pay%20it?shop=7");
    assertThat(
            isSigned(
                alipay, content, URLDecoder.decode(signature.substring(begin.length()), UTF_8)))
        .isTrue();
    assertThat(String.valueOf(last == null ? null : last.recorded))
        .contains("\"signedBy\":[\"key_new\",\"key_w\",\"key_a\"]", "5157F0", "SHOP_7")
        .doesNotContain(request.header("Wechatpay-signature"));
  }

  @Test
  void every_attempt_has_a_nonce_and_a_time_of_its_own() throws Exception {
    SigningKey key = key("key_w", SigningScheme.WECHATPAY, pair(), SignerNames.NONE);

    Outcome _ = deliver(handler, PAYLOAD, key);
    Outcome _ = deliver(handler, PAYLOAD, key);

    assertThat(got.getFirst().header("Wechatpay-nonce"))
        .isNotEqualTo(got.getLast().header("Wechatpay-nonce"));
    assertThat(got.getLast().header("Wechatpay-timestamp"))
        .isEqualTo(got.getLast().header("Webhook-timestamp"));
  }

  @Test
  void the_record_says_which_keys_signed_and_shows_no_secret() throws Exception {
    Outcome _ = deliver(handler, PAYLOAD, key("key_new", SigningScheme.V1, NEW, null));

    assertThat(String.valueOf(last == null ? null : last.recorded))
        .contains("\"signedBy\":[\"key_new\"]")
        .doesNotContain(new String(NEW, UTF_8), Base64.getEncoder().encodeToString(NEW));
  }

  @Test
  void a_key_that_has_expired_signs_no_more() throws Exception {
    SigningKey expired =
        key("key_old", SigningScheme.V1, OLD, Instant.now().minus(Duration.ofSeconds(1)));

    Outcome _ = deliver(handler, PAYLOAD, key("key_new", SigningScheme.V1, NEW, null), expired);

    verify(NEW, got.getFirst());
    assertThatThrownBy(() -> verify(OLD, got.getFirst()))
        .isInstanceOf(WebhookVerificationException.class);
  }

  @Test
  void nothing_goes_out_unsigned_once_all_keys_have_expired() throws Exception {
    SigningKey expired = key("key_old", SigningScheme.V1, OLD, Instant.EPOCH);

    Outcome outcome = deliver(handler, PAYLOAD, expired);

    assertThat(Deliveries.reason(outcome)).isEqualTo("signing_keys_expired");
    assertThat(got).isEmpty();
  }

  @Test
  void a_node_without_the_key_of_a_key_sends_nothing_and_spends_no_attempt() throws Exception {
    try (HttpHandler blind = handler(SecretBox.NONE)) {
      Outcome outcome = deliver(blind, PAYLOAD, key("key_new", SigningScheme.V1, NEW, null));

      assertThat(outcome).isInstanceOf(Outcome.NotReady.class);
      assertThat(got).isEmpty();
    }
  }

  @Test
  void a_key_that_was_sealed_for_another_destination_fails() throws Exception {
    String elsewhere = TestSecrets.seal(NEW, SigningKey.context("another", "key_new"));
    SigningKey key =
        new SigningKey("key_new", SigningScheme.V1, elsewhere, null, Instant.EPOCH, null);

    Outcome outcome = deliver(handler, PAYLOAD, key);

    assertThat(Deliveries.reason(outcome)).isEqualTo("signing_key_sealed");
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(got).isEmpty();
  }

  private Outcome deliverSealed(HttpHandler handler, String sealedFor) throws Exception {
    SealedHeader header =
        SealedHeader.of(sealedFor, "Authorization", "Bearer 7", TestSecrets.BOX, new byte[12]);
    Destination destination =
        new Destination(URI.create(url()), null, Map.of(), ResponseRules.DEFAULT, null, Map.of())
            .with(Map.of("X-Shop", "7"), Map.of("Authorization", header));
    FakeContext context = new FakeContext(PAYLOAD, 1, Duration.ofSeconds(20));
    context.destination = DestinationJson.write(destination).toString();
    return handler.run(context);
  }

  @Test
  void a_sealed_header_is_sent_as_it_was_given_and_never_left_out() throws Exception {
    Outcome sent = deliverSealed(handler, "default");

    assertThat(sent).isInstanceOf(Outcome.Completed.class);
    assertThat(got.getFirst().header("Authorization")).isEqualTo("Bearer 7");
    assertThat(got.getFirst().header("X-shop")).isEqualTo("7");
    try (HttpHandler blind = handler(SecretBox.NONE)) {
      assertThat(deliverSealed(blind, "default")).isInstanceOf(Outcome.NotReady.class);
    }
    assertThat(Deliveries.reason(deliverSealed(handler, "another"))).isEqualTo("header_sealed");
    assertThat(got).hasSize(1);
  }

  @Test
  void a_payload_with_a_url_of_its_own_is_not_signed() throws Exception {
    String own = "{\"url\":\"" + url() + "\"}";

    Outcome _ = deliver(handler, own, key("key_new", SigningScheme.V1, NEW, null));

    assertThat(got.getFirst().headers()).doesNotContainKeys("Webhook-signature", "Ebb-keys");
    Outcome _ = deliver(handler, "{}");
    assertThat(got.getLast().headers()).doesNotContainKey("Webhook-signature");
  }
}
