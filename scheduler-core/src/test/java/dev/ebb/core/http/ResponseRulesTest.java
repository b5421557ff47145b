package dev.ebb.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.re2j.Pattern;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.circuit.Vote;
import dev.ebb.core.http.BodyTest.Comparison;
import dev.ebb.core.http.BodyTest.Option;
import dev.ebb.core.http.ResponseClass.Effect;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a response means by the rules of its delivery. */
class ResponseRulesTest {
  private static final StatusSet OK = StatusSet.of("2xx");

  /** Reads {@code {"code":"…"}} alone. */
  private static final BodyPart.Reader CODE =
      (json, pointer) ->
          pointer.equals("/code") && json.startsWith("{\"code\":\"")
              ? json.substring(9, json.length() - 2)
              : null;

  private static final ResponseClassifier CLASSIFIER = new ResponseClassifier(CODE);

  private static BodyTest test(Comparison comparison, String text) {
    return new BodyTest(BodyPart.WHOLE, comparison, text, Set.of());
  }

  private static final Map<String, SuccessRule> OTHERS =
      Map.of(
          "any",
          new SuccessRule(StatusSet.ANY, test(Comparison.CONTAINS, "success")),
          "code",
          new SuccessRule(
              StatusSet.of("2xx", "404"),
              new BodyTest(new BodyPart.Value("/code"), Comparison.EQUALS, "SUCCESS", Set.of())),
          "pattern",
          new SuccessRule(OK, test(Comparison.MATCHES, "success\\W*")));

  private static DeliveryResponse response(int status, @Nullable String body) {
    return new DeliveryResponse(status, null, false, body, false);
  }

  private static String outcome(SuccessRule rule, DeliveryResponse response) {
    return reason(CLASSIFIER.of(new ResponseRules(rule, List.of()), response));
  }

  /** Why it is none; "yes" if it is a success. */
  private static String reason(Outcome outcome) {
    Failure failure = outcome.failure();
    return failure == null ? "yes" : failure.reason();
  }

  // A line for each answer, and a column for each rule: its preset or, for the last three, any
  // status with "success" in the body, 2xx or 404 with a JSON code, and 2xx with a regular
  // expression. In bodies, \\n is a line break, BOM a byte order mark, BINARY no text.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          200 | success                                      | yes y n y | y n y
          200 | SUCCESS                                      | yes y n y | n n n
          200 | Success                                      | yes y n y | n n n
          200 | success\\n                                   | yes y n y | y n y
          200 | \\nsuccess\\n                                | yes y n y | y n n
          200 | BOMsuccess                                   | yes n n y | y n n
          200 | "success"                                    | yes n n y | y n n
          200 | success.                                     | yes n n y | y n y
          200 | not a success                                | yes n n y | y n n
          200 | <html>success</html>                         | yes n n y | y n n
          200 | ``                                           | yes n n y | n n n
          200 | BINARY                                       | yes n n y | n n n
          200 | fail                                         | yes n n y | n n n
          200 | {"code":"SUCCESS"}                           | yes n n y | n y n
          200 | {"code":"FAIL"}                              | yes n n y | n n n
          200 | {"code":"SUCCESS ..."}                       | yes n n y | n n n
          200 | <return_code>SUCCESS</return_code>           | yes n y y | n n n
          200 | <return_code>\\nSUCCESS\\n</return_code>     | yes n y y | n n n
          200 | <xml><return_code><![CDATA[SUCCESS]]></return_code></xml> | yes n y y | n n n
          200 | <return_code><![CDATA[FAIL]]></return_code>  | yes n n y | n n n
          200 | <return_code>success</return_code>           | yes n n y | y n n
          200 | <return_code>SUCCESSFUL</return_code>        | yes n n y | n n n
          200 | <result_code>SUCCESS</result_code>           | yes n n y | n n n
          201 | success                                      | yes y n n | y n y
          201 | {"code":"SUCCESS"}                           | yes n n n | n y n
          204 | ``                                           | yes n n y | n n n
          204 | success                                      | yes y n y | y n y
          299 | success                                      | yes y n n | y n y
          302 | success                                      | no  n n n | y n n
          302 | ``                                           | no  n n n | n n n
          404 | {"code":"SUCCESS"}                           | no  n n n | n y n
          404 | success                                      | no  n n n | y n n
          410 | success                                      | no  n n n | y n n
          429 | success                                      | no  n n n | y n n
          500 | success                                      | no  n n n | y n n
          500 | <return_code>SUCCESS</return_code>           | no  n n n | n n n
          503 | {"code":"SUCCESS"}                           | no  n n n | n n n
          """)
  void each_rule_accepts_these_answers(
      int status, @Nullable String shown, String presets, String others) {
    String body = shown == null ? "" : shown.replace("\\n", "\n").replace("BOM", "\uFEFF");
    DeliveryResponse response = response(status, body.equals("BINARY") ? null : body);
    List<String> expected = List.of((presets + " " + others).split(" +"));
    List<SuccessRule> rules =
        List.of(
            SuccessRule.preset("http-2xx"),
            SuccessRule.preset("alipay"),
            SuccessRule.preset("wechat-v2"),
            SuccessRule.preset("wechat-v3"),
            other("any"),
            other("code"),
            other("pattern"));

    for (int rule = 0; rule < rules.size(); rule++) {
      assertThat(outcome(rules.get(rule), response).equals("yes"))
          .as("%s by %s", response, rules.get(rule))
          .isEqualTo(expected.get(rule).startsWith("y"));
    }
  }

  private static SuccessRule other(String name) {
    return Objects.requireNonNull(OTHERS.get(name));
  }

  @Test
  void a_body_that_is_not_the_one_asked_for_says_what_was() {
    SuccessRule alipay = SuccessRule.preset("alipay");

    assertThat(failure(alipay, response(200, "fail")))
        .isEqualTo(
            "body_mismatch: the destination answered 200, but its body is not what success asks"
                + " for");
    assertThat(failure(alipay, response(200, null))).endsWith("but its body is not text");
    assertThat(failure(alipay, new DeliveryResponse(200, null, false, "success", true)))
        .endsWith("but its body broke off, or is too long to test");
    assertThat(failure(alipay, response(500, "success")))
        .isEqualTo("http_500: the destination answered 500");
  }

  private static String failure(SuccessRule rule, DeliveryResponse response) {
    Failure failure = CLASSIFIER.of(new ResponseRules(rule, List.of()), response).failure();
    return failure == null ? "none" : failure.reason() + ": " + failure.message();
  }

  @Test
  void what_came_of_a_body_that_was_cut_is_tested_where_the_rule_says_so() {
    BodyTest beginning =
        new BodyTest(BodyPart.WHOLE, Comparison.CONTAINS, "ok", Set.of(Option.PARTIAL));
    DeliveryResponse cut = new DeliveryResponse(200, null, false, "ok, and", true);

    assertThat(outcome(new SuccessRule(OK, beginning), cut)).isEqualTo("yes");
    assertThat(outcome(new SuccessRule(OK, test(Comparison.CONTAINS, "ok")), cut))
        .isEqualTo("body_mismatch");
  }

  @Test
  void a_body_that_broke_off_is_for_no_class_to_judge() {
    ResponseClass rest = new ResponseClass(OK, null, Effect.PERMANENT, "not_received");
    ResponseRules rules = new ResponseRules(SuccessRule.preset("alipay"), List.of(rest));

    assertThat(CLASSIFIER.of(rules, new DeliveryResponse(200, null, false, "succ", true)))
        .isInstanceOf(Outcome.Failed.class);
    assertThat(CLASSIFIER.of(rules, response(200, "fail"))).isInstanceOf(Outcome.Fatal.class);
  }

  @Test
  void case_and_white_space_count_unless_the_test_says_otherwise() {
    for (Comparison comparison : Comparison.values()) {
      assertThat(outcome(new SuccessRule(OK, test(comparison, "Done")), response(200, "DONE")))
          .isEqualTo("body_mismatch");
      BodyTest lenient =
          new BodyTest(BodyPart.WHOLE, comparison, "dönE", Set.of(Option.TRIM, Option.IGNORE_CASE));
      assertThat(outcome(new SuccessRule(OK, lenient), response(200, "  DÖNe \n")))
          .isEqualTo("yes");
    }
  }

  @Test
  void a_regular_expression_is_judged_as_other_tests_where_a_body_was_cut() {
    DeliveryResponse cut = new DeliveryResponse(200, null, false, "order 7, an", true);
    BodyTest partial =
        new BodyTest(BodyPart.WHOLE, Comparison.MATCHES, "order \\d.*", Set.of(Option.PARTIAL));

    assertThat(outcome(new SuccessRule(OK, partial), cut)).isEqualTo("yes");
    assertThat(outcome(new SuccessRule(OK, test(Comparison.MATCHES, "order \\d.*")), cut))
        .isEqualTo("body_mismatch");
    assertThat(outcome(new SuccessRule(OK, partial), response(200, null)))
        .isEqualTo("body_mismatch");
  }

  @Test
  void a_class_may_disable_the_destination_and_so_does_410_unless_a_class_takes_it() {
    ResponseClass closed =
        new ResponseClass(
            StatusSet.of("403"),
            test(Comparison.CONTAINS, "closed"),
            Effect.DISABLE,
            "shop_closed");
    ResponseRules rules = new ResponseRules(SuccessRule.DEFAULT, List.of(closed));

    assertThat(vote(rules, response(403, "account closed"))).isEqualTo(Vote.GONE);
    assertThat(reason(CLASSIFIER.of(rules, response(403, "account closed"))))
        .isEqualTo("shop_closed");
    assertThat(vote(rules, response(403, "no"))).isEqualTo(Vote.NEUTRAL);
    assertThat(vote(rules, response(410, ""))).isEqualTo(Vote.GONE);
    ResponseClass order =
        new ResponseClass(StatusSet.of("410"), null, Effect.PERMANENT, "order_gone");
    assertThat(vote(new ResponseRules(SuccessRule.DEFAULT, List.of(order)), response(410, "")))
        .isEqualTo(Vote.NEUTRAL);
  }

  private static Vote vote(ResponseRules rules, DeliveryResponse response) {
    return Vote.of(CLASSIFIER.of(rules, response));
  }

  @ParameterizedTest
  @CsvSource({
    "PERMANENT, NEUTRAL",
    "DISABLE, GONE",
    "THROTTLED, NEUTRAL",
    "RETRYABLE, BAD",
    "NOT_READY, GOOD"
  })
  void a_class_may_name_redirects(Effect effect, Vote vote) {
    ResponseClass moved = new ResponseClass(StatusSet.of("3xx"), null, effect, "moved");
    ResponseRules rules = new ResponseRules(SuccessRule.DEFAULT, List.of(moved));

    for (int status : new int[] {300, 301, 302, 303, 307, 308}) {
      assertThat(vote(rules, response(status, ""))).isEqualTo(vote);
      assertThat(reason(CLASSIFIER.of(ResponseRules.DEFAULT, response(status, ""))))
          .isEqualTo("http_" + status);
    }
  }

  @Test
  void the_largest_regular_expressions_are_small_when_they_are_compiled() {
    for (String regex :
        List.of(
            "a".repeat(Regex.MAX_CHARACTERS),
            "(a*)*(b*)*(c|d|e)*\\pL+".repeat(7),
            "[a-z]{99}\\pL{99}\\d{99}.{99}",
            "((a{2}b){3}){5}",
            "(?i)(.*x.*){30}")) {
      assertThat(test(Comparison.MATCHES, regex).text()).isEqualTo(regex);
      assertThat(Pattern.compile(regex).programSize()).isLessThan(4 * Regex.MAX_SIZE);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a{1000}){1000}",
        "((a{99}){99}){99}",
        "(?:(?:a{0,9}){0,9}){0,9}",
        "(a{9,}b{9,}){40}",
        "a{500}",
        "a{99999999999}",
        "(ok",
        "(?=ok)ok",
        "(a)\\1",
        "a**",
        "a{2}{3}",
        ""
      })
  void a_regular_expression_that_is_broken_or_large_is_refused(String regex) {
    assertBroken("matches", () -> test(Comparison.MATCHES, regex));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "<code>0</code>                       | 0",
        "<xml><code a='1'> 0 </code></xml>    | 0",
        "<code2>1</code2><code>0</code>       | 0",
        "<code><![CDATA[<b>]]></code>         | <b>",
        "<code></code>                        | ``",
        "<code>0</code><code>1</code>         | 0",
        "<code><b>0</b></code>                |",
        "<code>0                              |",
        "<code                                |",
        "<code/>                              |",
        "0                                    |"
      })
  void an_element_of_an_xml_body_is_read_as_it_stands_there(String body, @Nullable String text) {
    assertThat(new BodyPart.Element("code").of(body, CODE)).isEqualTo(text);
  }

  @Test
  void the_first_class_that_fits_a_response_counts_unless_it_is_a_success() {
    ResponseRules rules =
        new ResponseRules(
            SuccessRule.DEFAULT,
            List.of(
                new ResponseClass(
                    StatusSet.of("404"), test(Comparison.EQUALS, "busy"), Effect.THROTTLED, "busy"),
                new ResponseClass(StatusSet.of("4xx"), null, Effect.PERMANENT, "refused"),
                new ResponseClass(StatusSet.ANY, null, Effect.RETRYABLE, "broken")));

    assertThat(CLASSIFIER.of(rules, response(204, null))).isEqualTo(Outcome.completed());
    assertThat(CLASSIFIER.of(rules, response(404, "busy"))).isInstanceOf(Outcome.Throttled.class);
    assertThat(CLASSIFIER.of(rules, response(404, "gone"))).isInstanceOf(Outcome.Fatal.class);
    assertThat(CLASSIFIER.of(rules, response(429, ""))).isInstanceOf(Outcome.Fatal.class);
    assertThat(CLASSIFIER.of(rules, response(410, ""))).isInstanceOf(Outcome.Fatal.class);
    assertThat(CLASSIFIER.of(rules, response(503, ""))).isInstanceOf(Outcome.Failed.class);
    assertThat(reason(CLASSIFIER.of(rules, response(302, "")))).isEqualTo("broken");
    DeliveryResponse later = new DeliveryResponse(404, Duration.ofSeconds(9), false, "busy", false);
    assertThat(CLASSIFIER.of(rules, later))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            throttled -> assertThat(throttled.retryAfter()).isEqualTo(Duration.ofSeconds(9)));
  }

  @Test
  void a_header_that_asks_for_no_more_attempts_is_obeyed() {
    DeliveryResponse asks = new DeliveryResponse(503, Duration.ofSeconds(1), true, "", false);

    Outcome outcome = CLASSIFIER.of(ResponseRules.DEFAULT, asks);

    assertThat(outcome).isInstanceOf(Outcome.Fatal.class);
    assertThat(reason(outcome)).isEqualTo("aborted_by_destination");
  }

  @Test
  void only_a_rule_that_tests_a_body_needs_it() {
    assertThat(ResponseRules.DEFAULT.testsBody()).isFalse();
    assertThat(new ResponseRules(SuccessRule.preset("alipay"), List.of()).testsBody()).isTrue();
    ResponseClass busy =
        new ResponseClass(OK, test(Comparison.EQUALS, "busy"), Effect.THROTTLED, "busy");
    assertThat(new ResponseRules(SuccessRule.DEFAULT, List.of(busy)).testsBody()).isTrue();
  }

  @Test
  void a_broken_rule_names_its_field() {
    assertBroken("statuses", () -> StatusSet.of());
    assertBroken("statuses", () -> StatusSet.of("2XX"));
    assertBroken("statuses", () -> StatusSet.of("600"));
    assertBroken("contains", () -> test(Comparison.CONTAINS, ""));
    assertBroken("matches", () -> test(Comparison.MATCHES, "x".repeat(201)));
    assertBroken("equals", () -> test(Comparison.EQUALS, "x".repeat(501)));
    assertBroken("pointer", () -> new BodyPart.Value("code"));
    assertBroken("element", () -> new BodyPart.Element("a b"));
    assertBroken("reason", () -> new ResponseClass(OK, null, Effect.PERMANENT, "Order unknown"));
    for (String own : List.of("worker_lost", "deadline", "timeout", "http_500", "body_mismatch")) {
      assertBroken("reason", () -> new ResponseClass(OK, null, Effect.PERMANENT, own));
    }
  }

  private static void assertBroken(String field, ThrowingCallable building) {
    InvalidInput broken = catchThrowableOfType(InvalidInput.class, building);
    assertThat(broken).as(field).isNotNull();
    assertThat(broken.field()).isEqualTo(field);
  }

  private static final BodyPart.Reader STATUS =
      (body, pointer) -> pointer.equals("/status") ? body : null;

  private static Verdict asked(String status, boolean cut) {
    BodyTest paid =
        new BodyTest(new BodyPart.Value("/status"), BodyTest.Comparison.EQUALS, "PAID", Set.of());
    BodyTest pending =
        new BodyTest(
            new BodyPart.Value("/status"), BodyTest.Comparison.EQUALS, "PENDING", Set.of());
    StatusSet ok = new StatusSet(List.of("2xx"));
    ResponseRules rules =
        new ResponseRules(
            new SuccessRule(ok, paid),
            List.of(
                new ResponseClass(ok, pending, ResponseClass.Effect.NOT_READY, "pending"),
                new ResponseClass(ok, null, ResponseClass.Effect.PERMANENT, "not_paid")),
            Map.of("status", "/status", "paidAt", "/paidAt"));
    return new ResponseClassifier(STATUS)
        .judge(rules, new DeliveryResponse(200, null, false, status, cut));
  }

  @Test
  void an_answer_that_is_too_early_is_asked_again_and_a_final_one_is_kept() {
    assertThat(asked("PENDING", false).outcome()).isEqualTo(new Outcome.NotReady(null, true));
    assertThat(asked("PENDING", false).result()).isEmpty();
    assertThat(asked("PAID", false).outcome()).isEqualTo(Outcome.completed());
    assertThat(asked("PAID", false).result()).containsExactly(Map.entry("status", "PAID"));
    assertThat(asked("CLOSED", false).outcome()).isInstanceOf(Outcome.Fatal.class);
    assertThat(asked("PAID", true).result()).isEmpty();
    ResponseRules any =
        new ResponseRules(SuccessRule.DEFAULT, List.of(), Map.of("status", "/status"));
    for (String lost : List.of("null", "x".repeat(201))) {
      DeliveryResponse response = new DeliveryResponse(200, null, false, lost, false);
      assertThat(new ResponseClassifier(STATUS).judge(any, response).result()).isEmpty();
    }
  }

  @Test
  void what_is_kept_is_bounded_and_has_names() {
    assertThat(new ResponseRules(SuccessRule.DEFAULT, List.of(), Map.of("a", "/b")).testsBody())
        .isTrue();
    assertThatThrownBy(() -> new ResponseRules(SuccessRule.DEFAULT, List.of(), Map.of("a b", "/b")))
        .hasMessageContaining("result");
    assertThatThrownBy(() -> new ResponseRules(SuccessRule.DEFAULT, List.of(), Map.of("a", "b")))
        .hasMessageContaining("result.a");
  }
}
