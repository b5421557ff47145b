package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.LONG;
import static dev.ebb.worker.http.Deliveries.reason;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class AttemptRecordTest {
  private final Deliveries deliveries = new Deliveries();

  @AfterEach
  void close() {
    deliveries.close();
  }

  @Test
  void it_keeps_request_and_response_as_sent_and_received() throws Exception {
    try (Wire wire =
        Wire.answering(
            "HTTP/1.1 500 Oops\r\nX-Twice: 1\r\nx-twice: 2\r\ncontent-length: 8\r\n\r\ntry \"é\""
                .replace("é", "\u00c3\u00a9"))) {
      deliveries.deliver(wire.url() + "?order=7");

      JsonNode request = deliveries.record().path("request");
      assertThat(request.path("method").stringValue()).isEqualTo("POST");
      assertThat(request.path("url").stringValue()).isEqualTo(wire.url() + "?order=7");
      assertThat(request.path("body").stringValue()).isEqualTo("{\"order\":7}");
      assertThat(request.path("bodyBytes").intValue()).isEqualTo(11);
      assertThat(request.path("bodyCut").booleanValue()).isFalse();
      String head = wire.requests.getFirst();
      request.path("headers").forEach(h -> assertThat(head).contains("\r\n" + header(h) + "\r\n"));
      assertThat(request.path("headers"))
          .hasSize((int) head.lines().filter(l -> l.contains(": ")).count());

      JsonNode response = deliveries.record().path("response");
      assertThat(response.path("status").intValue()).isEqualTo(500);
      assertThat(response.path("headers"))
          .map(AttemptRecordTest::header)
          .containsExactly("X-Twice: 1", "x-twice: 2", "content-length: 8");
      assertThat(response.path("body").stringValue()).isEqualTo("try \"é\"");
      assertThat(response.path("bodyCut").booleanValue()).isFalse();
      assertThat(deliveries.record().path("error").path("reason").stringValue())
          .isEqualTo("http_500");
      assertThat(deliveries.record().path("millis"))
          .allSatisfy(millis -> assertThat(millis.longValue()).isBetween(0L, 20_000L))
          .hasSize(4);
    }
  }

  @Test
  void it_is_kept_of_an_exchange_without_an_answer() {
    assertThat(reason(deliveries.deliver("http://127.0.0.1:" + Wire.deadPort() + "/")))
        .isEqualTo("connection_refused");
    JsonNode attempt = deliveries.record();
    assertThat(attempt.has("response")).isFalse();
    assertThat(attempt.path("request").path("headers"))
        .map(AttemptRecordTest::header)
        .contains("webhook-id: " + FakeContext.ID, "ebb-attempt: 3");
    assertThat(attempt.path("error").path("reason").stringValue()).isEqualTo("connection_refused");
    assertThat(attempt.path("millis").has("connect")).isFalse();
  }

  @Test
  void secrets_are_sent_and_not_kept() throws Exception {
    try (Wire wire =
        Wire.answering(
            "HTTP/1.1 302 X\r\nset-cookie: sid=hush\r\nlocation: http://u:hush@m.example/?token=hush&a=1\r\ncontent-length: 0\r\n\r\n")) {
      deliveries.run(
          """
          {"url":"%s?a=1&%%74oken=hush&API_KEY=hush&sig=hush&b=2","headers":{
            "Authorization":"Bearer hush","Cookie":"a=hush","X-Api-Key":"hush","api-key":"hush",
            "X-Hub-Signature-256":"hush","X-Auth-Token":"hush","X-Shop-Secret":"hush","X-Plain":"seen"}}
          """
              .formatted(wire.url()),
          LONG);

      assertThat(wire.requests.getFirst()).contains("Bearer hush", "%74oken=hush", "a=hush");
      assertThat(deliveries.recordText())
          .doesNotContain("hush")
          .contains(
              "a=1&%74oken=***&API_KEY=***&sig=***&b=2", "seen", "//***@m.example/?token=***&a=1");
    }
  }

  @Test
  void long_parts_are_cut_and_say_so() throws Exception {
    String long5k = "é".repeat(2500);
    try (Wire wire =
        Wire.answering(
            "HTTP/1.1 200 OK\r\nx-long: "
                + "v".repeat(4000)
                + "\r\n"
                + "x-many: 1\r\n".repeat(90)
                + "content-length: 5000\r\n\r\n"
                + new String(
                    long5k.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1))) {
      deliveries.run("{\"url\":\"" + wire.url() + "\",\"body\":\"a" + long5k + "\"}", LONG);

      JsonNode request = deliveries.record().path("request");
      JsonNode response = deliveries.record().path("response");
      // Its 4,096 bytes are a quote, an a and 2,047 whole characters of two bytes.
      assertThat(request.path("body").stringValue()).isEqualTo("\"a" + "é".repeat(2047));
      assertThat(request.path("bodyCut").booleanValue()).isTrue();
      assertThat(request.path("bodyBytes").intValue()).isEqualTo(5003);
      assertThat(response.path("body").stringValue()).isEqualTo("é".repeat(2048));
      assertThat(response.path("bodyCut").booleanValue()).isTrue();
      assertThat(response.path("headers")).hasSize(50);
      assertThat(response.path("headersCut").booleanValue()).isTrue();
      assertThat(request.path("headersCut").booleanValue()).isFalse();
      assertThat(response.path("headers").path(0).path("value").stringValue()).hasSize(513);
      assertThat(deliveries.recordText()).hasSizeLessThan(16_000);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\u0001", "\u001b", "\u007f", "\u009b", "\"", "\\", "?", "/", "\u00ff", "a"})
  void no_answer_makes_a_large_record(String repeated) throws Exception {
    String header = "x-" + "n".repeat(200) + ": a" + repeated.repeat(700) + "\r\n";
    try (Wire wire =
        Wire.answering(
            "HTTP/1.1 500 X\r\ncontent-type: text/plain; charset=iso-8859-1\r\n"
                + header.repeat(17)
                + "content-length: 60000\r\n\r\n"
                + repeated.repeat(60_000))) {
      String url = wire.url() + "?" + "&sig=".repeat(390);
      String body = "\\\"".repeat(4_000);
      deliveries.run(
          "{\"url\":\"%s\",\"headers\":{%s},\"body\":\"%s\"}".formatted(url, manyHeaders(), body),
          LONG);

      String recorded = deliveries.recordText();
      assertThat(recorded.getBytes(StandardCharsets.UTF_8))
          .hasSizeLessThan(AttemptRecord.MAX_BYTES)
          .hasSizeGreaterThan(16_000);
      assertThat(recorded.chars()).noneMatch(Character::isISOControl);
      assertThat(recorded).doesNotContain("\\u00");
      JsonNode attempt = deliveries.record();
      assertThat(attempt.path("response").path("headersCut").booleanValue()).isTrue();
      assertThat(attempt.path("request").path("headers"))
          .as("what is small finds its room")
          .map(AttemptRecordTest::header)
          .contains("webhook-id: " + FakeContext.ID);
    }
  }

  private static String manyHeaders() {
    return java.util.stream.IntStream.range(0, 20)
        .mapToObj(i -> "\"x-%s\":\"%s\"".formatted(i, "/".repeat(2048)))
        .collect(java.util.stream.Collectors.joining(","));
  }

  @ParameterizedTest
  @CsvSource({
    "text/plain; charset=GBK, GBK, 支付成功",
    "'text/html;charset=\"iso-8859-1\"', ISO-8859-1, schön",
    "text/plain, UTF-8, 支付成功 😀",
    "text/plain; charset=GBK, UTF-8, 支付成功",
    "text/plain; charset=no-such, UTF-8, ok"
  })
  void text_is_kept_as_text(String type, Charset charset, String text) {
    assertThat(BodyText.of(text.getBytes(charset), type)).isEqualTo(new BodyText(text, false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text/plain", "text/plain; charset=no-such", "a/b; charset=x;;;"})
  void what_is_no_text_is_kept_in_base64(String type) {
    byte[] binary = {(byte) 0xff, (byte) 0xfe, 1, 0};

    assertThat(BodyText.of(binary, type)).isEqualTo(new BodyText("//4BAA==", true));
    assertThat(BodyText.of(new byte[] {'a', 0, 'b'}, type)).isEqualTo(new BodyText("YQBi", true));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void a_character_on_the_edge_is_left_out_whole(int shift) {
    byte[] text = ("a".repeat(shift) + "😀".repeat(1100)).getBytes(StandardCharsets.UTF_8);
    BodyText kept = BodyText.of(text, "");

    assertThat(kept.base64()).isFalse();
    assertThat(kept.text()).startsWith("a".repeat(shift)).endsWith("😀");
  }

  @Test
  void a_half_character_at_the_end_of_a_whole_body_is_no_text() {
    byte[] text = "aé".getBytes(StandardCharsets.UTF_8);

    assertThat(BodyText.of(Arrays.copyOf(text, 2), "").base64()).isTrue();
  }

  private static String header(JsonNode header) {
    return header.path("name").stringValue() + ": " + header.path("value").stringValue();
  }
}
