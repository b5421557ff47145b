package dev.ebb.core.signing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import java.net.URLDecoder;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What receivers of payment services verify, as their public pages tell them to. */
class LayoutTest {
  private static KeyPair pair;

  @BeforeAll
  static void make() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    pair = generator.generateKeyPair();
  }

  private static Map<String, String> headers(
      SigningScheme scheme, SignerNames names, UnsignedRequest request) {
    return scheme.headers(pair.getPrivate().getEncoded(), "7", names, request);
  }

  private static boolean isSigned(String content, byte[] signature) throws Exception {
    Signature verifier = Signature.getInstance("SHA256withRSA");
    verifier.initVerify(pair.getPublic());
    verifier.update(content.getBytes(UTF_8));
    return verifier.verify(signature);
  }

  private static String header(Map<String, String> headers, String name) {
    return Objects.requireNonNull(headers.get(name), name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"id\":\"EV-1\",\"summary\":\"支付成功\"}", "ends in a line feed\n", ""})
  void wechat_pay_signs_three_lines_of_which_the_last_is_the_body(String body) throws Exception {
    Map<String, String> got = headers(SigningScheme.WECHATPAY, SignerNames.NONE, Requests.of(body));

    assertThat(got)
        .containsOnlyKeys(
            "Wechatpay-Timestamp", "Wechatpay-Nonce", "Wechatpay-Serial", "Wechatpay-Signature")
        .containsEntry("Wechatpay-Serial", "7")
        .containsEntry("Wechatpay-Timestamp", "1614265330");
    String lines =
        header(got, "Wechatpay-Timestamp")
            + "\n"
            + header(got, "Wechatpay-Nonce")
            + "\n"
            + body
            + "\n";
    byte[] signature = Base64.getDecoder().decode(header(got, "Wechatpay-Signature"));
    assertThat(isSigned(lines, signature)).isTrue();
    assertThat(isSigned(lines + " ", signature)).isFalse();
  }

  @Test
  void a_platform_that_signs_as_wechat_pay_has_headers_of_its_own_name() {
    SignerNames names = new SignerNames(null, "Acmepay", null);

    assertThat(headers(SigningScheme.WECHATPAY, names, Requests.of("{}")))
        .containsOnlyKeys(
            "Acmepay-Timestamp", "Acmepay-Nonce", "Acmepay-Serial", "Acmepay-Signature");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"notifyType\":\"PAYMENT_RESULT\",\"to\":\"Zoë\"}", ""})
  void alipay_signs_the_path_with_its_query_and_the_client_time_and_body(String body)
      throws Exception {
    SignerNames names = new SignerNames(null, null, "SANDBOX_5X00");

    Map<String, String> got = headers(SigningScheme.ALIPAY, names, Requests.of(body));

    assertThat(got)
        .containsOnlyKeys("client-id", "request-time", "signature")
        .containsEntry("request-time", "1614265330120");
    Matcher parts =
        Pattern.compile("algorithm=RSA256,keyVersion=7,signature=([A-Za-z0-9%_.*-]+)")
            .matcher(header(got, "signature"));
    assertThat(parts.matches()).as(header(got, "signature")).isTrue();
    byte[] signature = Base64.getDecoder().decode(URLDecoder.decode(parts.group(1), UTF_8));
    String content =
        "POST /pay/notify%20it?shop=7&x=%2F\n"
            + header(got, "client-id")
            + "."
            + header(got, "request-time")
            + "."
            + body;
    assertThat(isSigned(content, signature)).isTrue();
    assertThat(isSigned(content.replace("shop=7", "shop=8"), signature)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "V1,        7, ,        ,     serial",
    "RSA,        , Acmepay, ,     headerPrefix",
    "V1A,        , ,        SHOP, clientId",
    "WECHATPAY,  , ,        SHOP, clientId",
    "ALIPAY,     , Acmepay, SHOP, headerPrefix",
    "ALIPAY,    7, ,        ,     clientId",
    "WECHATPAY,  , Webhook, ,     headerPrefix",
    "WECHATPAY,  , ebb-x,   ,     headerPrefix",
    "WECHATPAY,  , Acme-,   ,     headerPrefix",
    "WECHATPAY,  , Ac me,   ,     headerPrefix",
    "WECHATPAY, a b, ,      ,     serial",
    "ALIPAY,     , ,        a:b,  clientId",
  })
  void a_name_without_a_place_or_out_of_form_is_refused(
      SigningScheme scheme, String serial, String prefix, String client, String field) {
    assertThatThrownBy(() -> scheme.requireFits(new SignerNames(serial, prefix, client)))
        .isInstanceOfSatisfying(
            InvalidInput.class, refused -> assertThat(refused.field()).isEqualTo(field));
  }
}
