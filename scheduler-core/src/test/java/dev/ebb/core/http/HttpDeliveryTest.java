package dev.ebb.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.core.InvalidInput;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDeliveryTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://merchant.example",
        "HTTPS://Merchant.Example:8443/a%2Fb/../c;p=1?x=%20&y",
        "http://localhost:1/",
        "http://93.184.216.34:65535/",
        "http://[2606:2800:220:1:248:1893:25c8:1946]:8080/x",
        "http://xn--bcher-kva.example/",
        "http://1.example/",
        "http://0x7f.example/"
      })
  void a_plain_url_is_kept_to_the_letter(String url) {
    assertThat(HttpUrl.parse(url)).hasToString(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/path",
        "merchant.example",
        "http:",
        "http://",
        "http:///path",
        "http:merchant.example",
        "ftp://merchant.example/",
        "file:///etc/passwd",
        "gopher://merchant.example/",
        "jar:http://merchant.example!/",
        "javascript:alert(1)",
        "http://user@merchant.example/",
        "http://user:secret@merchant.example/",
        "http://@merchant.example/",
        "http://merchant.example#@other.example/",
        "http://merchant.example/#fragment",
        "http://merchant.example:0/",
        "http://merchant.example:65536/",
        "http://merchant.example:99999/",
        "http://merchant.example:/",
        "http://merchant.example:080/",
        "http://merchant.example:-1/",
        "http://merchant.example./",
        "http://under_score.example/",
        "http://-a.example/",
        "http://a..example/",
        "http://2130706433/",
        "http://127.1/",
        "http://127.0.1/",
        "http://0177.0.0.1/",
        "http://0x7f.1/",
        "http://0x7f000001/",
        "http://0x7f.0x0.0x0.0x1/",
        "http://127.0.0.0x1/",
        "http://017700000001/",
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://01.2.3.4/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:ffff:a9fe:a9fe]/",
        "http://[fe80::1%25eth0]/",
        "http://[fe80::1%eth0]/",
        "http://[::1/",
        "http://[1:2]/",
        "http://%6cocalhost/",
        "http://bücher.example/",
        "http://merchant.example/a b",
        "http://merchant.example/\u0000",
        "http://merchant.example/\r\nx: y",
        "http://merchant.example/%zz",
        "http://①②⑦.⓪.⓪.①/",
        "http://merchant。example/",
        "http://merchant.example\\@other.example/"
      })
  void a_url_that_two_readers_could_read_differently_is_refused(String url) {
    InvalidInput broken = catchThrowableOfType(InvalidInput.class, () -> HttpUrl.parse(url));

    assertThat(broken).isNotNull();
    assertThat(broken.field()).isEqualTo("url");
  }

  @Test
  void a_url_has_at_most_2048_characters() {
    String longest = "http://merchant.example/" + "a".repeat(2048 - 24);

    assertThat(HttpUrl.parse(longest)).hasToString(longest);
    assertThat(catchThrowableOfType(InvalidInput.class, () -> HttpUrl.parse(longest + "a")).rule())
        .isEqualTo("must be at most 2048 characters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host",
        "content-length",
        "Transfer-Encoding",
        "connection",
        "Keep-Alive",
        "TE",
        "trailer",
        "Upgrade",
        "expect",
        "Accept-Encoding",
        "proxy-authorization",
        "Proxy-Connection",
        "webhook-id",
        "Webhook-Signature",
        "EBB-attempt",
        "webhook_id",
        "Content_Length",
        "transfer_encoding",
        "Ebb_Attempt",
        "proxy_authorization"
      })
  void a_header_that_the_delivery_writes_is_refused(String name) {
    assertThat(brokenHeader(name, "x").field()).isEqualTo("headers." + name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a:b", "a\r\nb", "ü", "a\u0000", "(a)"})
  void a_header_name_is_a_token(String name) {
    assertThat(brokenHeader(name, "x").field()).isEqualTo("headers");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", " a", "a ", "a\r\nb: c", "a\nb", "a\tb", "ü", "a\u0000", "\u007f"})
  void a_header_value_is_visible_ascii(String value) {
    assertThat(brokenHeader("x-a", value).field()).isEqualTo("headers.x-a");
  }

  @Test
  void a_header_value_has_a_limit() {
    assertThat(post(Map.of("x-a", "v".repeat(2048)), "1").headers()).hasSize(1);
    assertThat(brokenHeader("x-a", "v".repeat(2049)).field()).isEqualTo("headers.x-a");
  }

  @Test
  void there_are_at_most_20_headers_of_a_job_and_20_of_its_destination() {
    Map<String, String> headers = new HashMap<>();
    for (int i = 0; i < 40; i++) {
      headers.put("x-" + i, "v");
    }
    assertThat(post(headers, "1").headers()).hasSize(40);

    headers.put("x-40", "v");
    assertThat(catchThrowableOfType(InvalidInput.class, () -> post(headers, "1")).rule())
        .isEqualTo("must be at most 40");
  }

  @Test
  void a_header_is_given_once_in_any_case() {
    assertThat(
            catchThrowableOfType(
                InvalidInput.class, () -> post(Map.of("x-a", "1", "X-A", "2"), "1")))
        .hasMessageContaining("must be given once");
  }

  @Test
  void a_charset_other_than_utf_8_is_refused_since_utf_8_is_sent() {
    assertThat(post(Map.of("content-type", "text/plain; charset=\"UTF-8\"; a=b"), "1").body())
        .isEqualTo("1");
    assertThat(brokenHeader("Content-Type", "text/plain; charset=iso-8859-1").rule())
        .isEqualTo("must name no charset other than utf-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "post", "HEAD", "CONNECT", "TRACE", "OPTIONS", "POST / HTTP/1.1\r\n"})
  void other_methods_are_refused(String method) {
    assertThat(
            catchThrowableOfType(
                    InvalidInput.class,
                    () -> new HttpDelivery(URI.create("http://a.b"), method, Map.of(), null))
                .field())
        .isEqualTo("method");
  }

  @Test
  void a_get_has_no_body() {
    assertThat(
            catchThrowableOfType(
                    InvalidInput.class,
                    () -> new HttpDelivery(URI.create("http://a.b"), "GET", Map.of(), "1"))
                .field())
        .isEqualTo("body");
  }

  @Test
  void a_body_that_is_no_unicode_is_refused() {
    assertThat(catchThrowableOfType(InvalidInput.class, () -> post(Map.of(), "\ud800")).field())
        .isEqualTo("body");
  }

  private static InvalidInput brokenHeader(String name, String value) {
    return catchThrowableOfType(InvalidInput.class, () -> post(Map.of(name, value), "1"));
  }

  private static HttpDelivery post(Map<String, String> headers, String body) {
    return new HttpDelivery(URI.create("http://merchant.example/"), "POST", headers, body);
  }
}
