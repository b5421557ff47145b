package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.FuzzedRequests.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The contract is one from which programs make clients, and people learn. */
class ContractRulesTest {
  private static final JsonNode CONTRACT = read();
  private static final Schemas SCHEMAS = new Schemas(CONTRACT);
  static final List<Operation> OPERATIONS = new FuzzedRequests(CONTRACT, 1).operations();

  /** What java.lang has and every client made for Java imports. */
  private static final String JAVA =
      """
      Appendable AutoCloseable Boolean Byte Character Class ClassLoader Cloneable Comparable Compiler
      Double Enum Error Exception Float Integer Iterable Long Math Module Number Object Override
      Package Process Readable Record Runnable Runtime Short String System Thread Throwable Void
      ApiClient ApiException ApiResponse ArrayList Arrays BigDecimal Configuration Consumer Duration
      File Function HashMap HashSet HttpClient HttpRequest HttpResponse InputStream JSON List
      LocalDate Map Objects OffsetDateTime Optional Pair Path Set URI UUID
      abstract assert boolean break byte case catch char class const continue default do double else
      enum extends final finally float for goto if implements import instanceof int interface long
      native new package private protected public return short static super switch synchronized this
      throw throws transient try void volatile while true false null
      """;

  private static final String TYPESCRIPT =
      """
      Array ArrayBuffer BigInt Blob Boolean Capitalize DataView Date Error Exclude Extract FormData
      Function Headers Infinity InstanceType Intl Iterator JSON Map Math NonNullable Number Object
      Omit Parameters Partial Pick Promise Proxy Readonly Record Reflect RegExp Request Required
      Response ReturnType Set String Symbol URL WeakMap WeakSet
      any as async await boolean constructor debugger declare delete export from function get in
      infer is keyof let module namespace never number object of readonly require set string symbol
      type typeof undefined unique unknown var with yield
      """;

  private static final String PYTHON =
      """
      ArithmeticError BaseException Ellipsis Exception False None NotImplemented OSError True Warning
      Any Dict List Optional Set Union
      and bool bytes complex def del dict elif except filter float frozenset global hash id input int
      iter lambda len list map max min next nonlocal not open or pass pow print property raise range
      reversed round set slice sorted str sum super tuple type vars zip
      """;

  private static JsonNode read() {
    try (InputStream in = ContractRulesTest.class.getResourceAsStream("openapi.json")) {
      return JsonMapper.shared().readTree(in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Stream<Map.Entry<String, JsonNode>> successes(Operation operation) {
    return operation.described().path("responses").properties().stream()
        .filter(answer -> answer.getKey().startsWith("2"))
        .map(answer -> Map.entry(answer.getKey(), SCHEMAS.resolve(answer.getValue())));
  }

  @ParameterizedTest
  @FieldSource("OPERATIONS")
  void each_body_and_each_answer_has_examples_that_fit_its_schema(Operation operation) {
    JsonNode body = SCHEMAS.resolve(operation.described().path("requestBody"));
    fit(operation.id() + " takes", body);
    successes(operation)
        .forEach(answer -> fit(operation.id() + " answers " + answer.getKey(), answer.getValue()));
  }

  private static void fit(String where, JsonNode described) {
    for (Map.Entry<String, JsonNode> content : described.path("content").properties()) {
      List<JsonNode> examples = SCHEMAS.examples(content.getValue());
      assertThat(examples).as(where).isNotEmpty();
      for (JsonNode example : examples) {
        assertThat(SCHEMAS.violations(content.getValue().path("schema"), example))
            .as("%s: %s", where, example)
            .isEmpty();
      }
    }
  }

  @Test
  void each_example_of_a_schema_fits_it() {
    int examples = 0;
    for (Map.Entry<String, JsonNode> schema : schemas()) {
      for (JsonNode example : schema.getValue().path("examples")) {
        examples++;
        assertThat(SCHEMAS.violations(schema.getValue(), example)).as(schema.getKey()).isEmpty();
      }
    }
    assertThat(examples).isGreaterThan(20);
  }

  private static Set<Map.Entry<String, JsonNode>> schemas() {
    return CONTRACT.at("/components/schemas").properties();
  }

  /** A client knows one type for what a call returns, whatever the status. */
  @ParameterizedTest
  @FieldSource("OPERATIONS")
  void all_successes_of_an_operation_have_one_schema_that_leaves_no_choice(Operation operation) {
    Set<String> schemas = new TreeSet<>();
    successes(operation)
        .flatMap(answer -> answer.getValue().path("content").valueStream())
        .map(content -> content.path("schema"))
        .forEach(schema -> {
          schemas.add(schema.toString());
          assertThat(choices(schema, new TreeSet<>())).as(operation.id()).isEmpty();
        });

    assertThat(schemas).as(operation.id()).hasSizeLessThanOrEqualTo(1);
  }

  /** The places of a schema, and of those that it refers to, where one of several may stand. */
  private static List<String> choices(JsonNode schema, Set<String> seen) {
    List<String> choices = new ArrayList<>();
    if (schema.has("oneOf") || schema.has("anyOf")) {
      choices.add(schema.toString());
    }
    String reference = schema.path("$ref").asString("");
    if (!reference.isEmpty() && seen.add(reference)) {
      choices.addAll(choices(SCHEMAS.resolve(schema), seen));
    }
    schema.forEach(member -> choices.addAll(choices(member, seen)));
    return choices;
  }

  @Test
  void no_schema_bears_a_name_that_a_language_has_taken() {
    Set<String> taken = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (String language : List.of(JAVA, TYPESCRIPT, PYTHON)) {
      taken.addAll(List.of(language.strip().split("\\s+")));
    }

    assertThat(schemas().stream().map(Map.Entry::getKey)).noneMatch(taken::contains);
    assertThat(taken).contains("Error", "for").hasSizeGreaterThan(200);
  }

  /** A client for TypeScript has a type of that name for the parameters of each operation. */
  @Test
  void no_schema_bears_the_name_of_an_operations_request() {
    Set<String> taken = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    OPERATIONS.forEach(operation -> taken.add(operation.id() + "Request"));

    assertThat(schemas().stream().map(Map.Entry::getKey)).noneMatch(taken::contains);
  }

  @Test
  void each_body_has_a_schema_with_a_name() {
    for (Operation operation : OPERATIONS) {
      JsonNode body = SCHEMAS.resolve(operation.described().path("requestBody"));
      body.path("content")
          .forEach(content ->
              assertThat(content.path("schema").has("$ref")).as(operation.id()).isTrue());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"$ref", "allOf", "oneOf", "anyOf"})
  void a_default_stands_beside_its_type(String other) {
    for (JsonNode parent : CONTRACT.findParents("default")) {
      assertThat(parent.has(other)).as(parent.toString()).isFalse();
    }
  }

  @Test
  void durations_are_told_by_a_pattern_because_the_format_knows_no_fractions() {
    assertThat(CONTRACT.findValuesAsString("format")).isNotEmpty().doesNotContain("duration");
    for (String duration : List.of("PT0.05S", "PT0S", "P1DT12H", "PT1H30M", "P90D", "PT72H")) {
      assertThat(broken("IsoDuration", duration)).as(duration).isFalse();
      assertThat(broken("ExactDuration", duration)).as(duration).isFalse();
    }
    for (String other : List.of("P", "PT", "P1DT", "30s", "PT-5S", "P1Y", "PT1S2M", "pt1s")) {
      assertThat(broken("IsoDuration", other)).as(other).isTrue();
      assertThat(broken("ExactDuration", other)).as(other).isTrue();
    }
    assertThat(broken("IsoDuration", "PT0.0000001S")).isTrue();
    assertThat(broken("ExactDuration", "PT0.0000001S")).isFalse();
  }

  private static boolean broken(String schema, String text) {
    JsonNode value = JsonMapper.shared().getNodeFactory().stringNode(text);
    return !SCHEMAS.violations(SCHEMAS.named(schema), value).isEmpty();
  }

  /** A client for Java reads every other answer as JSON. */
  @ParameterizedTest
  @FieldSource("OPERATIONS")
  void what_is_no_json_is_told_to_be_a_file(Operation operation) {
    successes(operation)
        .flatMap(answer -> answer.getValue().path("content").properties().stream())
        .filter(content -> !content.getKey().equals("application/json"))
        .forEach(content ->
            assertThat(content.getValue().at("/schema/format").asString())
                .as(operation.id())
                .isEqualTo("binary"));
  }

  @Test
  void each_operation_is_summed_up_and_described() {
    for (Operation operation : OPERATIONS) {
      assertThat(operation.described().path("summary").asString("")).isNotBlank();
      assertThat(operation.described().path("description").asString(""))
          .as(operation.id())
          .isNotBlank();
    }
  }

  @Test
  void what_has_no_content_is_never_refused_for_its_type() {
    for (Operation operation : OPERATIONS) {
      JsonNode responses = operation.described().path("responses");
      assertThat(responses.has("204") && responses.has("406")).as(operation.id()).isFalse();
    }
  }

  /** Generators copy texts into comments. */
  @Test
  void no_text_ends_a_comment() {
    assertThat(CONTRACT.toString()).doesNotContain("*/");
  }
}
