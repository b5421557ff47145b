package dev.ebb.db.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.http.BodyPart;
import dev.ebb.core.http.BodyTest;
import dev.ebb.core.http.HttpDelivery;
import dev.ebb.core.http.ResponseClass;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.http.StatusSet;
import dev.ebb.core.http.SuccessRule;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryJsonTest {

  private static HttpDelivery delivery(String payload) {
    return DeliveryJson.read(payload).to(null);
  }

  @Test
  void a_url_is_enough() {
    HttpDelivery delivery = delivery("{\"url\":\"http://merchant.example/x\"}");

    assertThat(delivery.url()).hasToString("http://merchant.example/x");
    assertThat(delivery.method()).isEqualTo("POST");
    assertThat(delivery.headers()).isEmpty();
    assertThat(delivery.body()).isNull();
  }

  @Test
  void null_counts_as_absent() {
    assertThat(
            delivery(
                "{\"url\":\"http://m.example\",\"method\":null,\"headers\":null,\"body\":null}"))
        .isEqualTo(delivery("{\"url\":\"http://m.example\"}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "\"\"",
        "\"text \\u00e9 \\ud83d\\ude00 é\"",
        "0",
        "-0.10e+5",
        "1.0",
        "123456789012345678901234567890.10",
        "true",
        "false",
        "{ \"b\" : 1.00 ,\n\t\"a\":[ ] , \"c\" : {\"d\":\"\\/\"} }",
        "[1, 2,3 ]"
      })
  void the_body_is_sent_to_the_byte(String body) {
    assertThat(bodyOf("{\"url\":\"http://m.example\",\"body\":" + body + "}")).isEqualTo(body);
    assertThat(bodyOf("{ \"body\" :\n " + body + " , \"url\":\"http://m.example\" }"))
        .isEqualTo(body);
    assertThat(bodyOf("{\"method\":\"PUT\",\"body\":" + body + ",\"url\":\"http://m.example\"}\n"))
        .isEqualTo(body);
  }

  @Test
  void the_body_is_sent_to_the_byte_wherever_it_lies_in_the_readers_buffers() {
    SplittableRandom random = new SplittableRandom(42);
    for (int run = 0; run < 300; run++) {
      String pad = "é".repeat(random.nextInt(9_000)) + "😀".repeat(random.nextInt(100));
      String body = "{ \"n\":%s.%s0, \"s\":\"%s\" }".formatted(run, run, pad);
      String filler = " ".repeat(random.nextInt(9_000));
      assertThat(
              bodyOf("{\"url\":\"http://m.example\"," + filler + "\"body\":" + body + filler + "}"))
          .isEqualTo(body);
      assertThat(bodyOf("{" + filler + "\"body\":\"" + pad + "\",\"url\":\"http://m.example\"}"))
          .isEqualTo("\"" + pad + "\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "application/json, \"a<b\\u003e\"",
    "application/vnd.m+json; charset=utf-8, \"a<b\\u003e\"",
    "text/xml, a<b>",
    "application/x-www-form-urlencoded, a<b>"
  })
  void a_string_is_sent_as_its_characters_where_the_body_is_not_json(String type, String sent) {
    assertThat(
            bodyOf(
                """
                {"url":"http://m.example","body":"a<b\\u003e","headers":{"Content-Type":"%s"}}
                """
                    .formatted(type)))
        .isEqualTo(sent);
  }

  @Test
  void json_other_than_a_string_is_sent_as_json_under_any_type() {
    assertThat(
            bodyOf(
                "{\"url\":\"http://m.example\",\"body\":[1],\"headers\":{\"content-type\":\"a/b\"}}"))
        .isEqualTo("[1]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "payload | ",
        "payload | nonsense",
        "payload | []",
        "payload | \"http://m.example\"",
        "payload | null",
        "payload | {\"url\":\"http://m.example\"",
        "payload | {\"url\":\"http://m.example\"} {}",
        "payload | {\"url\":\"http://m.example\",\"url\":\"http://n.example\"}",
        "payload | {\"url\":\"http://m.example\",\"headers\":{\"a\":\"1\",\"a\":\"2\"}}",
        "payload | {\"url\":\"http://m.example\",\"body\":{\"a\":1,\"a\":2}}",
        "payload | {\"url\":\"http://m.example\",\"body\":01}",
        "payload | {\"url\":\"http://m.example\",\"boddy\":1}",
        "payload.url | {\"url\":1}",
        "payload.url | {\"url\":[\"http://m.example\"]}",
        "payload.url | {\"url\":\"http://127.1/\"}",
        "payload.url | {\"url\":\"http://m.example/\\u0000\"}",
        "payload.url | {\"url\":\"http://m.example/\\ud800\"}",
        "payload.method | {\"url\":\"http://m.example\",\"method\":\"TRACE\"}",
        "payload.method | {\"url\":\"http://m.example\",\"method\":{}}",
        "payload.headers | {\"url\":\"http://m.example\",\"headers\":[]}",
        "payload.headers | {\"url\":\"http://m.example\",\"headers\":{\"a\":1}}",
        "payload.headers | {\"url\":\"http://m.example\",\"headers\":{\"a\":null}}",
        "payload.headers | {\"url\":\"http://m.example\",\"headers\":{\"a b\":\"1\"}}",
        "payload.headers.host | {\"url\":\"http://m.example\",\"headers\":{\"host\":\"x\"}}",
        "payload.headers.a | {\"url\":\"http://m.example\",\"headers\":{\"a\":\"1\",\"A\":\"2\"}}",
        "payload.success | {\"url\":\"http://m.example\",\"success\":\"aliplay\"}",
        "payload.success | {\"url\":\"http://m.example\",\"success\":[]}",
        "payload.success.statuses | {\"url\":\"http://m.example\",\"success\":{\"statuses\":[]}}",
        "payload.success.statuses | {\"url\":\"http://m.example\",\"success\":{\"statuses\":[99]}}",
        "payload.success.statuses[0] | {\"url\":\"http://m.example\",\"success\":{\"statuses\":[2.5]}}",
        "payload.success.statusses | {\"url\":\"http://m.example\",\"success\":{\"statusses\":[200]}}",
        "payload.success.body | {\"url\":\"http://m.example\",\"success\":{\"body\":\"ok\"}}",
        "payload.success.body | {\"url\":\"http://m.example\",\"success\":{\"body\":{}}}",
        "payload.success.body | {\"url\":\"http://m.example\",\"success\":{\"body\":{\"equals\":\"a\",\"contains\":\"b\"}}}",
        "payload.success.body.equal | {\"url\":\"http://m.example\",\"success\":{\"body\":{\"equals\":\"a\",\"equal\":\"b\"}}}",
        "payload.success.body.pointer | {\"url\":\"http://m.example\",\"success\":{\"body\":{\"pointer\":\"code\",\"equals\":\"1\"}}}",
        "payload.success.body.pointer | {\"url\":\"http://m.example\",\"success\":{\"body\":{\"pointer\":\"/a\",\"element\":\"a\",\"equals\":\"1\"}}}",
        "payload.success.body.trim | {\"url\":\"http://m.example\",\"success\":{\"body\":{\"equals\":\"a\",\"trim\":1}}}",
        "payload.classes | {\"url\":\"http://m.example\",\"classes\":{}}",
        "payload.classes[0] | {\"url\":\"http://m.example\",\"classes\":[1]}",
        "payload.classes[0].statuses | {\"url\":\"http://m.example\",\"classes\":[{\"effect\":\"permanent\",\"reason\":\"a\"}]}",
        "payload.classes[0].effect | {\"url\":\"http://m.example\",\"classes\":[{\"statuses\":[400],\"effect\":\"fatal\",\"reason\":\"a\"}]}",
        "payload.classes | {\"url\":\"http://m.example\",\"classes\":[{\"statuses\":[403],\"effect\":\"disable\",\"reason\":\"a\"}]}",
        "payload.success.body.matches | {\"url\":\"http://m.example\",\"success\":{\"body\":{\"matches\":\"(a\"}}}",
        "payload.success.body | {\"url\":\"http://m.example\",\"success\":{\"body\":{\"matches\":\"a\",\"equals\":\"a\"}}}",
        "payload.classes[0].reason | {\"url\":\"http://m.example\",\"classes\":[{\"statuses\":[400],\"effect\":\"permanent\"}]}",
        "payload.body | {\"url\":\"http://m.example\",\"method\":\"GET\",\"body\":1}",
        "payload.body | {\"url\":\"http://m.example\",\"body\":\"\\ud800\",\"headers\":{\"content-type\":\"text/plain\"}}"
      })
  void a_broken_payload_names_its_field(String field, String payload) {
    InvalidInput broken =
        catchThrowableOfType(
            InvalidInput.class, () -> DeliveryJson.read(payload == null ? "" : payload));

    assertThat(broken).isNotNull();
    assertThat(broken.field()).isEqualToIgnoringCase(field);
  }

  @Test
  void a_rule_may_be_a_preset_and_is_any_2xx_by_default() {
    assertThat(delivery("{\"url\":\"http://m.example\"}").rules()).isEqualTo(ResponseRules.DEFAULT);
    assertThat(
            delivery(
                    """
                    {"url": "http://m.example", "success": null, "classes": null}
                    """)
                .rules())
        .isEqualTo(ResponseRules.DEFAULT);
    assertThat(delivery("{\"url\":\"http://m.example\",\"success\":\"alipay\"}").rules().success())
        .isEqualTo(SuccessRule.PRESETS.get("alipay"));
  }

  @Test
  void a_rule_may_test_a_body_and_classes_may_follow() {
    assertThat(
            delivery(
                    """
                    {
                      "url": "http://m.example",
                      "success": {
                        "statuses": ["2xx", 404],
                        "body": {
                          "pointer": "/code", "equals": "OK", "trim": true, "ignoreCase": true,
                          "partial": true
                        }
                      },
                      "body": {"order": 7},
                      "classes": [
                        {"statuses": [400], "effect": "permanent", "reason": "order_unknown"},
                        {
                          "statuses": ["any"], "body": {"element": "code", "contains": "busy"},
                          "effect": "throttled", "reason": "busy"
                        }
                      ]
                    }
                    """)
                .rules())
        .isEqualTo(
            new ResponseRules(
                new SuccessRule(
                    StatusSet.of("2xx", "404"),
                    new BodyTest(
                        new BodyPart.Value("/code"),
                        BodyTest.Comparison.EQUALS,
                        "OK",
                        Set.of(BodyTest.Option.values()))),
                List.of(
                    new ResponseClass(
                        StatusSet.of("400"), null, ResponseClass.Effect.PERMANENT, "order_unknown"),
                    new ResponseClass(
                        StatusSet.ANY,
                        new BodyTest(
                            new BodyPart.Element("code"),
                            BodyTest.Comparison.CONTAINS,
                            "busy",
                            Set.of()),
                        ResponseClass.Effect.THROTTLED,
                        "busy"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":{\"b\":[1,\"x\"]}} | /a/b/1 | x",
        "{\"a\":true}               | /a | true",
        "{\"a\":null}               | /a | null",
        "{\"a\":7}                  | /a | 7",
        "{\"a\":1.50}               | /a | 1.50",
        "{\"a\":1e999999999}        | /a | 1e999999999",
        "\uFEFF{\"a\":1}             | /a | 1",
        "{\"a\":1} rest             | /a |",
        "{\"a\":1,\"b\":}          | /a |",
        "{\"a/b\":\"x\"}          | /a~1b | x",
        "{\"a\":{}}                 | /a |",
        "{\"a\":1}                  | /b |",
        "[1]                          | /a |",
        "<a>1</a>                     | /a |",
        "{\"a\":1                   | /a |",
      })
  void a_value_of_a_body_is_read_as_text(String json, String pointer, @Nullable String value) {
    assertThat(JsonValues.at(json, pointer)).isEqualTo(value);
  }

  @Test
  void every_field_of_the_list_is_read() {
    for (String field : DeliveryJson.FIELDS) {
      assertThatCode(() -> DeliveryJson.read("{\"%s\":null}".formatted(field)))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void a_body_nested_deeper_than_any_sane_one_is_refused() {
    String deep = "[".repeat(30_000) + "]".repeat(30_000);

    assertThat(
            catchThrowableOfType(
                    InvalidInput.class,
                    () -> delivery("{\"url\":\"http://m.example\",\"body\":" + deep + "}"))
                .field())
        .isEqualTo("payload");
  }

  private static String bodyOf(String payload) {
    return String.valueOf(delivery(payload).body());
  }
}
