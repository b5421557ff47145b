package dev.ebb.db.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.ListBackoff;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.core.retry.SlotBackoff;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

final class PolicyJsonTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final JsonMapper DECIMALS =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  private static final Growth GROWTH = new Growth(Duration.ofSeconds(10), 1.5, Duration.ofHours(6));

  static final List<RetryPolicy> POLICIES =
      Stream.concat(
              Presets.names().stream().map(Presets::policy),
              Stream.of(
                      new Backoff.Full(Duration.ofNanos(1), GROWTH),
                      new Backoff.Equal(GROWTH),
                      new Backoff.Decorrelated(Duration.ofSeconds(1), Duration.ofDays(3650)),
                      new Backoff.Additive(Duration.ofMillis(1), GROWTH),
                      new Backoff.None(new Growth(Duration.ZERO, 1, Duration.ZERO)),
                      new SlotBackoff(Duration.ofNanos(51_200)),
                      new ListBackoff(Collections.nCopies(100, Duration.ofDays(2)), 1 / 3.0),
                      new ListBackoff(List.of(Duration.ZERO), -0.0))
                  .map(PolicyJsonTest::inFull))
          .toList();

  private static RetryPolicy inFull(Backoff backoff) {
    return new RetryPolicy(
        backoff, 1000, Duration.ofDays(3), Map.of(0, 0.01, 3, 1.0, 8, 2.5, 9, 100.0));
  }

  /** A policy that is right but for the fields given, which come first. */
  private static JsonNode with(String fields) {
    return JSON.readTree("{" + fields + ",\"jitter\":\"full\",\"base\":\"PT1S\",\"cap\":\"PT1H\"}");
  }

  private static JsonNode json(String text) {
    return JSON.readTree(text.replace('\'', '"'));
  }

  private static void refuses(String field, String rule, JsonNode json) {
    assertThatExceptionOfType(InvalidInput.class)
        .isThrownBy(() -> PolicyJson.read(json))
        .satisfies(broken -> {
          assertThat(broken.field()).isEqualTo(field);
          assertThat(broken.rule()).startsWith(rule);
        });
  }

  @ParameterizedTest
  @FieldSource("POLICIES")
  void what_was_written_is_read_back(RetryPolicy policy) {
    JsonNode written = PolicyJson.write(policy);
    assertThat(PolicyJson.read(written)).isEqualTo(policy);
    assertThat(PolicyJson.read(JSON.readTree(written.toString()))).isEqualTo(policy);
    assertThat(PolicyJson.read(DECIMALS.readTree(written.toString()))).isEqualTo(policy);
    assertThat(PolicyJson.write(PolicyJson.read(written))).hasToString(written.toString());
  }

  @Test
  void the_form_is_the_documented_one() {
    RetryPolicy policy =
        new RetryPolicy(
            new Backoff.Full(
                Duration.ZERO, new Growth(Duration.ofSeconds(10), 2, Duration.ofHours(6))),
            16,
            Duration.ofDays(3),
            Map.of(0, 0.5));
    JsonNode form =
        json(
            """
            {'jitter':'full','floor':'PT0S','base':'PT10S','factor':2,'cap':'PT6H',
             'maxAttempts':16,'deadline':'PT72H','priorityScale':{'0':0.5}}\
            """);
    assertThat(PolicyJson.write(policy)).hasToString(form.toString());
    assertThat(PolicyJson.read(form)).isEqualTo(policy);
  }

  @Test
  void a_name_stands_for_its_preset() {
    assertThat(PolicyJson.read(json("'wechat'"))).isEqualTo(Presets.policy("wechat"));
    refuses("policy", "must be one of the presets", json("'wechatt'"));
    refuses("policy", "must be one of the presets", json("''"));
  }

  @Test
  void what_is_left_out_has_its_default() {
    assertThat(PolicyJson.read(json("{'base':'PT10S','cap':'PT6H'}")))
        .isEqualTo(Presets.policy("default"));
    assertThat(PolicyJson.read(json("{'jitter':'list','steps':['PT2M','PT10M']}")).maxAttempts())
        .isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'full'         | 'base':'PT10S','cap':'PT6H'
          'equal'        | 'base':'PT10S','cap':'PT6H'
          'none'         | 'base':'PT10S','cap':'PT6H'
          'additive'     | 'base':'PT10S','cap':'PT6H','spread':'PT1S'
          'decorrelated' | 'base':'PT10S','cap':'PT6H'
          'slots'        | 'slot':'PT1S'
          'list'         | 'steps':['PT2M','PT10M']
          """)
  void null_and_a_default_are_as_if_left_out_whatever_the_jitter(String jitter, String fields) {
    String policy = "{'jitter':" + jitter + "," + fields;
    RetryPolicy bare = PolicyJson.read(json(policy + "}"));
    for (String field :
        List.of("base", "factor", "cap", "floor", "spread", "slot", "steps", "proportion")) {
      if (!fields.contains("'" + field + "'")) {
        assertThat(PolicyJson.read(json(policy + ",'" + field + "':null}"))).isEqualTo(bare);
      }
    }
    for (String unsaid :
        List.of(
            "'deadline':null", "'factor':2", "'factor':2.0", "'floor':'PT0S'", "'proportion':0")) {
      assertThat(PolicyJson.read(json(policy + "," + unsaid + "}"))).isEqualTo(bare);
    }
  }

  @Test
  void no_steps_are_as_if_left_out_but_for_a_list() {
    assertThat(PolicyJson.read(json("{'jitter':'slots','slot':'PT1S','steps':[]}")))
        .isEqualTo(PolicyJson.read(json("{'jitter':'slots','slot':'PT1S'}")));
  }

  @Test
  void days_count_24_hours() {
    RetryPolicy policy = PolicyJson.read(json("{'jitter':'slots','slot':'P1DT1H'}"));
    assertThat(policy.backoff()).isEqualTo(new SlotBackoff(Duration.ofHours(25)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          null   | must be the name
          17     | must be the name
          true   | must be the name
          []     | must be the name
          """)
  void neither_a_name_nor_an_object_is_refused(String text, String rule) {
    refuses("policy", rule, json(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          base            | {}                                                  | is missing
          jitter          | {'jitter':'fulll'}                                  | must be one of full
          jitter          | {'jitter':1}                                        | must be a string
          cap             | {'base':'PT1S'}                                     | is missing
          base            | {'jitter':'none','cap':'PT1S'}                      | is missing
          spread          | {'jitter':'additive','base':'PT1S','cap':'PT1S'}    | is missing
          slot            | {'jitter':'slots'}                                  | is missing
          slot            | {'jitter':'slots','slot':'P4D'}                     | must be between
          base            | {'jitter':'slots','slot':'PT1S','base':'PT1S'}      | is not known here
          steps           | {'jitter':'list'}                                   | is missing
          steps           | {'jitter':'list','steps':'PT1S'}                    | must be 1 to 100
          steps           | {'jitter':'list','steps':[]}                        | must be 1 to 100
          steps[1]        | {'jitter':'list','steps':['PT1S',7]}                | must be an ISO-8601
          steps[0]        | {'jitter':'list','steps':[['PT1S']]}                | must be an ISO-8601
          proportion      | {'jitter':'list','steps':['PT1S'],'proportion':1.5} | must be between
          proportion      | {'jitter':'list','steps':['PT1S'],'proportion':'1'} | must be a number
          factor          | {'jitter':'decorrelated','base':'PT1S','cap':'PT1S','factor':3} | is not known
          """)
  void each_kind_has_its_own_fields(String field, String text, String rule) {
    refuses("policy." + field, rule, json(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          factor          | 'factor':0.5                  | must be between
          factor          | 'factor':1e400                | must be between
          factor          | 'factor':-1e400               | must be between
          factor          | 'factor':1e999999999          | must be between
          factor          | 'factor':'2'                  | must be a number
          factor          | 'factor':'NaN'                | must be a number
          factor          | 'factor':{}                   | must be a number
          maxAttempts     | 'maxAttempts':0               | must be between
          maxAttempts     | 'maxAttempts':-1              | must be between
          maxAttempts     | 'maxAttempts':1000000000      | must be between
          maxAttempts     | 'maxAttempts':-9999999999     | must be between
          maxAttempts     | 'maxAttempts':16.0            | must be a whole number
          maxAttempts     | 'maxAttempts':1e3             | must be a whole number
          maxAttempts     | 'maxAttempts':'16'            | must be a whole number
          maxAttempts     | 'maxAttempts':true            | must be a whole number
          deadline        | 'deadline':'PT-1S'            | must be between
          deadline        | 'deadline':'-PT1S'            | must be between
          deadline        | 'deadline':'P3651D'           | must be between
          deadline        | 'deadline':'P1M'              | must be an ISO-8601
          deadline        | 'deadline':3600               | must be an ISO-8601
          floor           | 'floor':0                     | must be an ISO-8601
          floor           | 'floor':''                    | must be an ISO-8601
          floor           | 'floor':'PT1E9S'              | must be an ISO-8601
          floor           | 'floor':'PT99999999999999999999S' | must be an ISO-8601
          floor           | 'floor':'PT9223372036854775807S'  | must be between
          floor           | 'floor':'PT0.1234567891S'     | must be an ISO-8601
          floor           | 'floor':'30s'                 | must be an ISO-8601
          floor           | 'floor':'PT٣S'                | must be an ISO-8601
          floor           | 'floor':'PT2H'                | must not be longer than cap
          priorityScale   | 'priorityScale':[]            | must be an object
          priorityScale   | 'priorityScale':1             | must be an object
          priorityScale   | 'priorityScale':{'10':1}      | must have priorities
          priorityScale   | 'priorityScale':{'-1':1}      | must have priorities
          priorityScale   | 'priorityScale':{'00':1}      | must have priorities
          priorityScale   | 'priorityScale':{'٣':1}       | must have priorities
          priorityScale.3 | 'priorityScale':{'3':0}       | must be between
          priorityScale.3 | 'priorityScale':{'3':1e400}   | must be between
          priorityScale.3 | 'priorityScale':{'3':'1'}     | must be a number
          preset          | 'preset':'alipay'             | is not known here
          Base            | 'Base':'PT1S'                 | is not known here
          """)
  void each_bad_field_is_named(String field, String fields, String rule) {
    refuses("policy." + field, rule, with(fields.replace('\'', '"')));
  }

  @ParameterizedTest
  @MethodSource("numbersThatNoDoubleOrIntHolds")
  void numbers_without_end_are_refused_like_others(String number) {
    for (JsonMapper mapper : List.of(JSON, DECIMALS)) {
      String text = "{'base':'PT1S','cap':'PT1S','%s':%s}".replace('\'', '"');
      for (String field : List.of("factor", "maxAttempts", "base", "unknown")) {
        JsonNode json = mapper.readTree(text.formatted(field, number));
        assertThatExceptionOfType(InvalidInput.class)
            .isThrownBy(() -> PolicyJson.read(json))
            .satisfies(broken -> assertThat(broken.field()).isEqualTo("policy." + field));
      }
    }
  }

  static Stream<String> numbersThatNoDoubleOrIntHolds() {
    return Stream.of(
        "9".repeat(400),
        "-" + "9".repeat(400),
        "9".repeat(400) + ".5",
        "1e999999999",
        "1e-999999999");
  }

  @Test
  void numbers_that_are_none_are_refused() {
    for (double number : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      JsonNode json =
          JsonNodeFactory.instance
              .objectNode()
              .put("base", "PT1S")
              .put("cap", "PT1S")
              .put("factor", number);
      refuses("policy.factor", "must be between", json);
    }
  }

  @Test
  void long_and_unprintable_names_are_shown_cut_and_clean() {
    String cut = "policy." + "x".repeat(64) + "…";
    refuses(cut, "is not known here", with("\"" + "x".repeat(9999) + "\":1"));
    refuses("policy.a??b", "is not known here", with("\"a\\u0000\\ud800b\":1"));
  }

  @Test
  void a_list_of_too_many_steps_is_refused() {
    String steps = IntStream.range(0, 101).mapToObj(_ -> "'PT1S'").collect(Collectors.joining(","));
    refuses("policy.steps", "must be 1 to 100", json("{'jitter':'list','steps':[" + steps + "]}"));
  }
}
