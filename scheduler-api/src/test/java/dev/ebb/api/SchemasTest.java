package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The check of answers finds what a client's validator would find. */
class SchemasTest {
  private static final Schemas SCHEMAS =
      new Schemas(
          JsonMapper.shared()
              .readTree(
                  """
                  {"components": {"schemas": {
                    "a": {"type": "object", "required": ["a"], "properties": {"a": {}}},
                    "b": {"type": "object", "required": ["b"], "properties": {"b": {}}},
                    "closed": {
                      "type": "object", "additionalProperties": false, "properties": {"a": {}}},
                    "one": {"oneOf": [
                      {"$ref": "#/components/schemas/a"}, {"$ref": "#/components/schemas/b"}]},
                    "any": {"anyOf": [
                      {"$ref": "#/components/schemas/a"}, {"$ref": "#/components/schemas/closed"}]},
                    "both": {"oneOf": [
                      {"$ref": "#/components/schemas/a"}, {"$ref": "#/components/schemas/closed"}]},
                    "all": {"allOf": [{"$ref": "#/components/schemas/a"}], "description": "a"},
                    "texts": {
                      "type": "object", "additionalProperties": {"type": ["string", "null"]}},
                    "whole": {"type": "integer", "minimum": 1, "maximum": 7},
                    "word": {"type": "string", "pattern": "^a", "maxLength": 3},
                    "day": {"type": "string", "format": "date"},
                    "moment": {"type": "string", "format": "date-time"},
                    "id": {"type": "string", "format": "uuid"},
                    "few": {"type": "array", "minItems": 1, "maxItems": 2},
                    "names": {
                      "type": "object", "maxProperties": 2, "propertyNames": {"pattern": "^[0-9]$"},
                      "additionalProperties": {}},
                    "list": {"type": "array", "items": {"enum": [1, 2]}}
                  }}}
                  """));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // schema | value that fits | value that does not
        "a | {\"a\":1} | {}",
        "a | {\"a\":1} | {\"a\":1,\"other\":1}",
        "a | {\"a\":1} | []",
        "closed | {} | {\"b\":1}",
        "one | {\"b\":1} | {}",
        "one | {\"a\":1} | {\"a\":1,\"b\":1}",
        "one | {\"a\":1} | {\"a\":1,\"other\":1}",
        "any | {\"a\":1} | {\"b\":1}",
        "any | {} | {\"a\":1,\"other\":1}",
        "both | {} | {\"a\":1}",
        "all | {\"a\":1} | {}",
        "texts | {\"a\":\"b\",\"c\":null} | {\"a\":1}",
        "whole | 7 | 7.5",
        "whole | 7 | \"7\"",
        "whole | 1 | 0",
        "whole | 7 | 8",
        "word | \"abc\" | \"bc\"",
        "word | \"abc\" | \"abcd\"",
        "day | \"2028-02-29\" | \"2027-02-29\"",
        "moment | \"2027-01-31T08:00:00Z\" | \"2027-01-31\"",
        "id | \"019f2b1e-7c00-7a10-8000-5d2b8f1c0e11\" | \"1\"",
        "few | [1,2] | []",
        "few | [1,2] | [1,2,3]",
        "names | {\"1\":1} | {\"a\":1}",
        "names | {\"1\":1} | {\"1\":1,\"2\":1,\"3\":1}",
        "list | [1,2,1] | [1,3]",
      })
  void a_value_fits_its_schema_or_does_not(String schema, String fitting, String other) {
    assertThat(violations(schema, fitting)).isEmpty();
    assertThat(violations(schema, other)).isNotEmpty();
  }

  private static Set<String> violations(String schema, String value) {
    JsonNode tree = JsonMapper.shared().readTree(value);
    return SCHEMAS.violations(SCHEMAS.named(schema), tree);
  }
}
