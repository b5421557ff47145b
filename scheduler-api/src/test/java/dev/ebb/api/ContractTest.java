package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.FuzzedRequests.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the last release is served by this one. */
class ContractTest {
  private static final JsonMapper STRICT =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .build();

  private static final JsonNode RELEASED = read("last-release/openapi.json");

  @Test
  void the_contract_grows_and_breaks_no_client_of_the_last_release() {
    assertThat(ContractBreaks.between(RELEASED, read("openapi.json"))).isEmpty();
  }

  @Test
  void each_operation_has_an_id_of_its_own() {
    List<String> ids =
        new FuzzedRequests(read("openapi.json"), 1)
            .operations().stream().map(Operation::id).toList();

    assertThat(ids).doesNotHaveDuplicates().doesNotContain("").hasSizeGreaterThan(60);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // what is changed | by what | what is found
        "\"/v1/me\" | \"/v1/myself\" | get /v1/me is gone",
        "\"put\" | \"patch\" | put /v1/queues/{queue} is gone",
        "\"jobs:submit\"]} | \"jobs:operate\"]} | post /v1/jobs needs jobs:operate",
        "[\"kind\", \"payload\"] | [\"kind\", \"payload\", \"queue\"] | needs queue",
        "\"maximum\": 9 | \"maximum\": 8 | /priority has a smaller maximum",
        "\"delay\" | \"wait\" | post /v1/jobs takes/delay is gone",
        "\"maxLength\": 200 | \"maxLength\": 199 | /uniqueKey has a smaller maxLength",
        "\"nextCursor\" | \"next\" | get /v1/jobs answers 200/nextCursor is gone",
        "\"in\": \"query\" | \"in\": \"query\", \"required\": true | needs the parameter",
        "\"201\" | \"202\" | post /v1/jobs no longer answers 201",
      })
  void what_would_break_a_client_is_found(String part, String other, String found) {
    JsonNode changed =
        JsonMapper.shared().readTree(RELEASED.toString().replace(tight(part), tight(other)));

    assertThat(changed).isNotEqualTo(RELEASED);
    assertThat(ContractBreaks.between(RELEASED, changed)).anyMatch(line -> line.contains(found));
  }

  @Test
  void what_is_added_breaks_nobody() {
    JsonNode grown =
        JsonMapper.shared()
            .readTree(
                RELEASED
                    .toString()
                    .replace("\"maximum\":9", "\"maximum\":99")
                    .replace("\"delay\":{", "\"more\":{\"type\":\"string\"},\"delay\":{")
                    .replace("[\"kind\",\"payload\"]", "[\"kind\"]"));

    assertThat(grown).isNotEqualTo(RELEASED);
    assertThat(ContractBreaks.between(RELEASED, grown)).isEmpty();
  }

  @Test
  void one_alternative_or_any_is_the_same_to_a_client_and_one_less_is_not() {
    JsonNode now = read("openapi.json");
    String text = now.toString();
    String name = "\"oneOf\":[{\"type\":\"string\",";
    String policy = ",{\"$ref\":\"#/components/schemas/Policy\"}]";

    assertThat(text).contains(name, policy);
    assertThat(between(now, text.replace(name, name.replace("one", "any")))).isEmpty();
    assertThat(between(now, text.replace(policy, "]")))
        .contains("post /v1/jobs takes/policy has one alternative less");
  }

  private static Set<String> between(JsonNode old, String here) {
    return ContractBreaks.between(old, JsonMapper.shared().readTree(here));
  }

  /** As a tree is printed: without the spaces of the file. */
  private static String tight(String part) {
    return part.replace("\": ", "\":").replace(", \"", ",\"");
  }

  private static JsonNode read(String name) {
    try (InputStream in = ContractTest.class.getResourceAsStream("/dev/ebb/api/" + name)) {
      return STRICT.readTree(in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
