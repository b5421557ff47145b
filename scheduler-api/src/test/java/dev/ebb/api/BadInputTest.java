package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a body may not be: each refusal points at the field, says the rule, and stores nothing. */
class BadInputTest {
  private static final char SEPARATOR = '¦';

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  /** The fields stand beside a valid kind and payload. */
  @ParameterizedTest
  @CsvSource(
      delimiter = SEPARATOR,
      quoteCharacter = '§',
      textBlock =
          """
          "queu":"x"                            ¦ /queu         ¦ is unknown; did you mean queue?
          "run_at":"2030-01-01T00:00:00Z"       ¦ /run_at       ¦ is unknown; did you mean runAt?
          "max_attempts":3                      ¦ /max_attempts ¦ is unknown; did you mean maxAttempts?
          "body/~x":1                           ¦ /body~1~0x    ¦ is unknown; allowed are kind
          "id":"019f2b1e-7c00-7a10-8000-5d2b8f1c0e11" ¦ /id      ¦ is unknown
          "rateLimit":{}                        ¦ /rateLimit    ¦ is unknown
          "queue":5                             ¦ /queue        ¦ must be a string
          "queue":""                            ¦ /queue        ¦ must be a lower-case letter
          "queue":"Payments"                    ¦ /queue        ¦ must be a lower-case letter
          "queue":"a/b"                         ¦ /queue        ¦ must be a lower-case letter
          "queue":"a b"                         ¦ /queue        ¦ must be a lower-case letter
          "queue":"дом"                         ¦ /queue        ¦ must be a lower-case letter
          "queue":["a"]                         ¦ /queue        ¦ must be a string
          "priority":"5"                        ¦ /priority     ¦ must be an integer
          "priority":5.0                        ¦ /priority     ¦ must be an integer
          "priority":1e0                        ¦ /priority     ¦ must be an integer
          "priority":-1                         ¦ /priority     ¦ must be between 0 and 9
          "priority":10                         ¦ /priority     ¦ must be between 0 and 9
          "priority":4294967301                 ¦ /priority     ¦ must be an integer of 32 bits
          "priority":99999999999999999999999999 ¦ /priority     ¦ must be an integer of 32 bits
          "priority":1e400                      ¦ /priority     ¦ must be an integer
          "priority":true                       ¦ /priority     ¦ must be an integer
          "maxAttempts":0                       ¦ /maxAttempts  ¦ must be between 1 and 1000
          "maxAttempts":-1                      ¦ /maxAttempts  ¦ must be between 1 and 1000
          "maxAttempts":1000000000              ¦ /maxAttempts  ¦ must be between 1 and 1000
          "maxAttempts":1001                    ¦ /maxAttempts  ¦ must be between 1 and 1000
          "maxAttempts":"3"                     ¦ /maxAttempts  ¦ must be an integer
          "maxAttempts":{}                      ¦ /maxAttempts  ¦ must be an integer
          "runAt":"+10000-01-01T00:00:00Z"      ¦ /runAt        ¦ must be an instant
          "runAt":"10000-01-01T00:00:00Z"       ¦ /runAt        ¦ must be an instant
          "runAt":"9999-12-31T23:59:59-01:00"   ¦ /runAt        ¦ must lie in the years
          "runAt":"+999999999-12-31T23:59:59Z"  ¦ /runAt        ¦ must be an instant
          "runAt":"-999999999-01-01T00:00:00Z"  ¦ /runAt        ¦ must be an instant
          "runAt":"1999-12-31T23:59:59Z"        ¦ /runAt        ¦ must lie in the years 2000 to 9999
          "runAt":"2027-02-30T00:00:00Z"        ¦ /runAt        ¦ must be an instant
          "runAt":"2027-01-01T24:00:00Z"        ¦ /runAt        ¦ must be an instant
          "runAt":"2027-01-01T00:00:60Z"        ¦ /runAt        ¦ must be an instant
          "runAt":"2027-01-01T00:00:00"         ¦ /runAt        ¦ must be an instant
          "runAt":"2027-01-01T00:00:00.1234567Z" ¦ /runAt       ¦ at most six decimals
          "runAt":"2027-01-01T00:00:00+99:00"   ¦ /runAt        ¦ must be an instant
          "runAt":"2027-01-01"                  ¦ /runAt        ¦ must be an instant
          "runAt":"tomorrow"                    ¦ /runAt        ¦ must be an instant
          "runAt":1798761600                    ¦ /runAt        ¦ must be an instant
          "delay":30                            ¦ /delay        ¦ must be a duration
          "delay":"30"                          ¦ /delay        ¦ must be a duration
          "delay":"30s"                         ¦ /delay        ¦ must be a duration
          "delay":"-PT5S"                       ¦ /delay        ¦ must not be negative
          "delay":"PT-5S"                       ¦ /delay        ¦ must not be negative
          "delay":"P3651D"                      ¦ /delay        ¦ must be between PT0S and P3650D
          "delay":"PT999999999H"                ¦ /delay        ¦ must be between PT0S and P3650D
          "delay":"P99999999999999999999D"      ¦ /delay        ¦ must be a duration
          "delay":"PT9223372036854775807S"      ¦ /delay        ¦ must be a duration
          "delay":"P1Y"                         ¦ /delay        ¦ must be a duration
          "delay":"P"                           ¦ /delay        ¦ must be a duration
          "delay":"PT"                          ¦ /delay        ¦ must be a duration
          "delay":"PT0.0000001S"                ¦ /delay        ¦ must be a duration
          "delay":"PT1S","runAt":"2030-01-01T00:00:00Z" ¦ /delay ¦ must not be given together with runAt
          "timeout":"PT0S"                      ¦ /timeout      ¦ must be between PT0.001S and P1D
          "timeout":"P2D"                       ¦ /timeout      ¦ must be between PT0.001S and P1D
          "timeout":60                          ¦ /timeout      ¦ must be a duration
          "uniqueKey":""                        ¦ /uniqueKey    ¦ must be 1 to 200 characters
          "uniqueKey":7                         ¦ /uniqueKey    ¦ must be a string
          "labels":[]                           ¦ /labels       ¦ must be an object
          "labels":{"a":1}                      ¦ /labels/a     ¦ must be a string
          "labels":{"a":null}                   ¦ /labels/a     ¦ must be a string
          "labels":{"1a":"x"}                   ¦ /labels       ¦ must have names
          "policy":7                            ¦ /policy       ¦ must be
          "policy":"defualt"                    ¦ /policy       ¦ did you mean default?
          "policy":{"base":"PT1S","cap":"-PT8S"} ¦ /policy/cap  ¦ must
          "policy":{"base":"PT1S","cap":"PT8S","factor":"2"} ¦ /policy/factor ¦ must be a number
          "policy":{"base":"PT1S","cap":"PT8S","factor":1e999} ¦ /policy/factor ¦ must
          "policy":{"base":"PT1S","cap":"PT8S","maxAttempts":1.0} ¦ /policy/maxAttempts ¦ must be a whole number
          "policy":{"base":"PT1S","cap":"PT8S","maxAttempts":1000000000} ¦ /policy/maxAttempts ¦ must be between
          "policy":{"base":"PT1S","cap":"PT8S","bse":1} ¦ /policy/bse ¦ is not known here
          "policy":{"jitter":"list","steps":["PT1S","x"]} ¦ /policy/steps/1 ¦ must be
          """)
  void a_field_that_breaks_its_rule_is_refused(String fields, String pointer, String rule) {
    refuse("{\"kind\":\"report\",\"payload\":1," + fields + "}", "invalid_input", pointer, rule);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = SEPARATOR,
      quoteCharacter = '§',
      textBlock =
          """
          {}                            ¦ /kind    ¦ must be given
          {"kind":"a"}                  ¦ /payload ¦ must be given
          {"payload":1}                 ¦ /kind    ¦ must be given
          {"kind":null,"payload":1}     ¦ /kind    ¦ must be given
          {"kind":"","payload":1}       ¦ /kind    ¦ must be a letter
          {"kind":"1a","payload":1}     ¦ /kind    ¦ must be a letter
          {"kind":"a b","payload":1}    ¦ /kind    ¦ must be a letter
          {"kind":["a"],"payload":1}    ¦ /kind    ¦ must be a string
          {"type":"a","payload":1}      ¦ /type    ¦ is unknown
          []                            ¦ §§       ¦ must be an object
          "x"                           ¦ §§       ¦ must be an object
          7                             ¦ §§       ¦ must be an object
          null                          ¦ §§       ¦ must be an object
          {"kind":"http","payload":1}   ¦ /payload ¦ must be an object
          {"kind":"http","payload":{}}  ¦ /payload/url ¦ must be given
          {"kind":"http","payload":{"url":"ftp://example.com/"}} ¦ /payload/url ¦ must
          {"kind":"http","payload":{"url":"https://user:pass@example.com/"}} ¦ /payload/url ¦ must
          {"kind":"http","payload":{"url":"file:///etc/passwd"}} ¦ /payload/url ¦ must
          {"kind":"http","payload":{"url":"https://example.com/","heders":{}}} ¦ /payload/heders ¦ is unknown; did you mean headers?
          {"kind":"http","payload":{"url":"https://example.com/","a/~b":{}}} ¦ /payload/a~1~0b ¦ is unknown
          {"kind":"http","payload":{"url":"https://example.com/","headers":{"a.b~c":"\\n"}}} ¦ /payload/headers/a.b~0c ¦ must
          {"kind":"http","payload":{"url":5}} ¦ /payload/url ¦ must
          {"kind":"http","payload":{"url":"https://example.com/","success":"aliplay"}} ¦ /payload/success ¦ must be http-2xx, alipay
          {"kind":"http","payload":{"url":"https://example.com/","success":{"body":{"equals":"a","contains":"a"}}}} ¦ /payload/success/body ¦ must have one of
          {"kind":"http","payload":{"url":"https://example.com/","classes":[{"statuses":[400],"effect":"permanent","reason":"A"}]}} ¦ /payload/classes/0/reason ¦ must
          """)
  void a_body_that_is_no_job_is_refused(String body, String pointer, String rule) {
    refuse(body, "invalid_input", pointer, rule);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = SEPARATOR,
      quoteCharacter = '§',
      textBlock =
          """
          {"kind":"a","payload":1                       ¦ §§             ¦ not valid JSON
          {"kind":"a","payload":1,}                     ¦ §§             ¦ not valid JSON
          {"kind":"a","payload":1}}                     ¦ §§             ¦ not valid JSON
          {"kind":"a","payload":1} {}                   ¦ §§             ¦ must be one JSON value
          {"kind":"a","payload":1} x                    ¦ §§             ¦ not valid JSON
          {"kind":"a","payload":NaN}                    ¦ §§             ¦ not valid JSON
          {"kind":"a","payload":01}                     ¦ §§             ¦ not valid JSON
          {"kind":"a","payload":.5}                     ¦ §§             ¦ not valid JSON
          {"kind":"a","payload":+1}                     ¦ §§             ¦ not valid JSON
          {"kind":"a",/* c */"payload":1}               ¦ §§             ¦ not valid JSON
          {'kind':'a','payload':1}                      ¦ §§             ¦ not valid JSON
          {kind:"a","payload":1}                        ¦ §§             ¦ not valid JSON
          {"kind":"a","payload":"\\x41"}                ¦ §§             ¦ not valid JSON
          {"kind":"a","payload":tru}                    ¦ §§             ¦ not valid JSON
          garbage                                       ¦ §§             ¦ not valid JSON
          {"kind":"a","kind":"b","payload":1}           ¦ /kind          ¦ must not be given twice
          {"kind":"a","k\\u0069nd":"b","payload":1}     ¦ /kind          ¦ must not be given twice
          {"kind":"a","payload":{"x":{"y":1,"y":1}}}    ¦ /payload/x/y   ¦ must not be given twice
          {"kind":"a","payload":[0,{"y":1,"y":1}]}      ¦ /payload/1/y   ¦ must not be given twice
          {"kind":"a\\u0000","payload":1}               ¦ /kind          ¦ must not contain NUL
          {"kind":"a","payload":{"x":"\\u0000"}}        ¦ /payload/x     ¦ must not contain NUL
          {"kind":"a","payload":{"\\u0000":1}}          ¦ /payload/\uFFFD ¦ must not contain NUL
          {"kind":"a","payload":"\\ud800"}              ¦ /payload       ¦ lone surrogate
          {"kind":"a","payload":["\\udc00\\ud800"]}     ¦ /payload/0     ¦ lone surrogate
          {"kind":"a","payload":1,"uniqueKey":"\\udfff"} ¦ /uniqueKey    ¦ lone surrogate
          {"kind":"a","payload":1,"labels":{"\\ud800":"x"}} ¦ /labels/\uFFFD ¦ lone surrogate
          """)
  void text_that_is_not_acceptable_json_is_refused(String body, String pointer, String rule) {
    refuse(body, "invalid_json", pointer, rule);
  }

  private static void refuse(String body, String code, String pointer, String rule) {
    long before = api.stored();

    Reply reply = api.post("/v1/jobs", body);

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.header("content-type")).isEqualTo("application/problem+json");
    assertThat(reply.field("code")).as(reply.body()).isEqualTo(code);
    assertThat(reply.field("type")).isEqualTo("urn:ebb:problem:" + code);
    assertThat(reply.field("instance")).isEqualTo("/v1/jobs");
    assertThat(reply.json().path("status").asInt()).isEqualTo(400);
    assertThat(reply.json().path("retryable").asBoolean(true)).isFalse();
    assertThat(reply.firstPointer()).as(reply.body()).isEqualTo(pointer);
    assertThat(reply.json().path("errors").path(0).path("rule").asString()).contains(rule);
    assertThat(reply.body()).doesNotContain("Exception", "dev.ebb", "jackson", "org.", "select ");
    assertThat(api.stored()).isEqualTo(before);
  }

  @Test
  void all_unknown_fields_are_named_at_once() {
    Reply reply = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1,\"x1\":1,\"y1\":2}");

    assertThat(reply.json().path("errors").findValuesAsString("pointer"))
        .containsExactly("/x1", "/y1");
  }

  @Test
  void an_empty_body_is_refused() {
    refuse("", "invalid_json", "", "is empty");
    refuse("  \n ", "invalid_json", "", "is empty");
  }

  @Test
  void bytes_that_are_not_utf_8_are_refused() {
    byte[][] bodies = {
      bytes("{\"kind\":\"a\",\"payload\":\"", new byte[] {(byte) 0xC0, (byte) 0x80}),
      bytes("{\"kind\":\"a\",\"payload\":\"", new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}),
      bytes("{\"kind\":\"a\",\"payload\":\"", new byte[] {(byte) 0xFF}),
      "{\"kind\":\"a\",\"payload\":1}".getBytes(StandardCharsets.UTF_16)
    };
    long before = api.stored();
    for (byte[] body : bodies) {
      Reply reply = api.post("/v1/jobs", BodyPublishers.ofByteArray(body));
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.field("code")).isEqualTo("invalid_json");
      assertThat(reply.body()).contains("must be valid UTF-8");
    }
    assertThat(api.stored()).isEqualTo(before);
  }

  private static byte[] bytes(String head, byte[] middle) {
    String text = head + new String(middle, StandardCharsets.ISO_8859_1) + "\"}";
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void nul_and_a_mark_before_the_body_are_refused() {
    refuse("{\"kind\":\"a\",\"payload\":\"\0\"}", "invalid_json", "", "not valid JSON");
    refuse("\uFEFF{\"kind\":\"a\",\"payload\":1}", "invalid_json", "", "not valid JSON");
  }

  @Test
  void nesting_ends_at_32() {
    String deepest = "[".repeat(31) + "]".repeat(31);
    String tooDeep = "[".repeat(32) + "]".repeat(32);
    String bottomless = "[".repeat(30_000);

    assertThat(api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":" + deepest + "}").status())
        .isEqualTo(201);
    for (String payload : new String[] {tooDeep, bottomless}) {
      Reply reply = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":" + payload + "}");
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.body()).contains("must not be nested deeper than 32");
    }
    String inBatch = "{\"kind\":\"a\",\"payload\":" + deepest + "}";
    assertThat(api.post("/v1/jobs/batch", "{\"jobs\":[" + inBatch + "]}").status()).isEqualTo(201);
  }

  @Test
  void a_number_has_at_most_100_characters() {
    String longest = "1".repeat(100);

    assertThat(api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":" + longest + "}").status())
        .isEqualTo(201);
    refuse(
        "{\"kind\":\"a\",\"payload\":{\"n\":1" + longest + "}}",
        "invalid_json",
        "/payload/n",
        "at most 100 characters");
    refuse(
        "{\"kind\":\"a\",\"payload\":[" + "9".repeat(50_000) + "]}",
        "invalid_json",
        "/payload/0",
        "at most 100 characters");
  }

  @Test
  void a_name_has_at_most_1000_characters() {
    String longest = "n".repeat(1000);
    String job = "{\"kind\":\"a\",\"payload\":1}";
    String tooLong = "{\"kind\":\"a\",\"payload\":{\"x\":{\"" + "n".repeat(60_000) + "\":1}}}";

    assertThat(
            api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":{\"" + longest + "\":1}}").status())
        .isEqualTo(201);
    for (String field : new String[] {"payload", "policy", "labels"}) {
      refuse(
          "{\"kind\":\"http\",\"" + field + "\":{\"" + longest + "n\":\"x\"}}",
          "invalid_json",
          "/" + field,
          "must have names of at most 1000 characters");
    }
    Reply reply = api.post("/v1/jobs/batch", "{\"jobs\":[" + job + "," + tooLong + "]}");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo("/jobs/1/payload/x");
  }

  @Test
  void a_list_and_an_object_have_so_many_entries_and_no_more() {
    StringBuilder members = new StringBuilder("{\"0\":1");
    for (int i = 1; i <= 10_000; i++) {
      members.append(",\"").append(Integer.toString(i, 36)).append("\":1");
    }
    String list = "1,".repeat(32_700) + "1";
    String longer = "{\"kind\":\"a\",\"payload\":[" + "[],".repeat(32_768) + "1]}";

    assertThat(api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":[" + list + "]}").status())
        .isEqualTo(201);
    Reply reply = api.post("/v1/jobs/batch", "{\"jobs\":[" + longer + "]}");
    assertThat(reply.firstPointer()).as(reply.body()).isEqualTo("/jobs/0/payload");
    assertThat(reply.body()).contains("must have at most 32768 elements");
    Reply wide = api.post("/v1/jobs/batch", "{\"jobs\":[" + members + "}]}");
    assertThat(wide.firstPointer()).as(wide.body()).isEqualTo("/jobs/0");
    assertThat(wide.body()).contains("must have at most 10000 members");
  }

  @Test
  void a_long_name_is_shortened_where_it_is_repeated() {
    Reply reply =
        api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1,\"" + "n".repeat(60_000) + "\":1}");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body().length()).isLessThan(2000);
  }

  @Test
  void seventeen_labels_are_refused() {
    StringBuilder labels = new StringBuilder();
    for (int i = 0; i < 17; i++) {
      labels.append(i == 0 ? "" : ",").append("\"l").append(i).append("\":\"x\"");
    }
    refuse(
        "{\"kind\":\"a\",\"payload\":1,\"labels\":{" + labels + "}}",
        "invalid_input",
        "/labels",
        "must be at most 16");
    refuse(
        "{\"kind\":\"a\",\"payload\":1,\"labels\":{\"a.b\":\"" + "x".repeat(201) + "\"}}",
        "invalid_input",
        "/labels/a.b",
        "must be at most 200 characters");
  }

  @Test
  void a_batch_of_none_and_one_of_too_many_are_refused() {
    String job = "{\"kind\":\"a\",\"payload\":1},";
    String tooMany = job.repeat(1001);
    long before = api.stored();

    for (String jobs : new String[] {"", tooMany.substring(0, tooMany.length() - 1)}) {
      Reply reply = api.post("/v1/jobs/batch", "{\"jobs\":[" + jobs + "]}");
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.firstPointer()).isEqualTo("/jobs");
    }
    assertThat(api.post("/v1/jobs/batch", "{\"jobs\":{}}").firstPointer()).isEqualTo("/jobs");
    assertThat(api.post("/v1/jobs/batch", "{\"job\":[]}").body())
        .contains("did you mean jobs?")
        .doesNotContain("?.");
    assertThat(api.stored()).isEqualTo(before);
  }
}
