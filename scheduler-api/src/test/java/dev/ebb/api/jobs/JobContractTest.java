package dev.ebb.api.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.contract.Job;
import dev.ebb.core.InvalidInput;
import dev.ebb.db.json.PolicyJson;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** The description names the fields that jobs are read from and written with. */
class JobContractTest {
  private static JsonNode schemas;

  @BeforeAll
  static void read() throws IOException {
    try (InputStream document =
        JobResource.class.getResourceAsStream("/dev/ebb/api/openapi.json")) {
      schemas = JsonMapper.shared().readTree(document).at("/components/schemas");
    }
  }

  @Test
  void the_fields_of_a_new_job_are_those_that_are_described() {
    assertThat(schemas.at("/NewJob/properties").propertyNames())
        .containsExactlyInAnyOrder(JobFields.OF_SUBMIT);
  }

  @Test
  void the_fields_of_an_answer_are_those_that_are_described() {
    assertThat(schemas.at("/JobReceipt/properties").propertyNames())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Job.class.getRecordComponents()).map(RecordComponent::getName).toList());
  }

  @Test
  void the_jitters_of_a_policy_are_those_that_are_described() {
    List<String> described =
        schemas.at("/Policy/properties/jitter/enum").valueStream().map(JsonNode::asString).toList();

    assertThat(refusal("nonsense").rule())
        .isEqualTo("must be one of " + String.join(", ", described));
    assertThat(described)
        .allSatisfy(jitter -> assertThat(refusal(jitter).field()).isNotEqualTo("policy.jitter"));
  }

  /** Of a policy that has a jitter, and a field that none has. */
  private static InvalidInput refusal(String jitter) {
    JsonNode policy =
        JsonNodeFactory.instance.objectNode().put("jitter", jitter).put("nonsense", 1);
    return catchThrowableOfType(InvalidInput.class, () -> PolicyJson.read(policy));
  }
}
