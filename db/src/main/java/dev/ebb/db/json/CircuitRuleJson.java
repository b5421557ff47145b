package dev.ebb.db.json;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.circuit.CircuitRule;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * When a circuit opens and closes as JSON, in the database and over REST; what is absent is as in
 * {@link CircuitRule#DEFAULT}.
 */
public final class CircuitRuleJson {
  static final String CIRCUIT = "circuit";

  private CircuitRuleJson() {}

  /**
   * Reads an object.
   *
   * @throws InvalidInput on anything else; its field starts at {@code circuit}
   */
  static CircuitRule read(JsonNode json) {
    require(json.isObject(), CIRCUIT, "must be an object");
    try {
      JsonFields fields = new JsonFields(json);
      CircuitRule rule = rule(fields);
      fields.requireNoOthers();
      return rule;
    } catch (InvalidInput broken) {
      throw broken.under(CIRCUIT);
    }
  }

  private static CircuitRule rule(JsonFields fields) {
    CircuitRule usual = CircuitRule.DEFAULT;
    return new CircuitRule(
        fields.flag("enabled", usual.enabled()),
        fields.number("failureRatio", usual.failureRatio()),
        fields.integer("minVotes", usual.minVotes()),
        fields.integer("failuresInARow", usual.failuresInARow()),
        fields.duration("window", usual.window()),
        fields.duration("openFor", usual.openFor()),
        fields.duration("longestOpen", usual.longestOpen()),
        fields.duration("disableAfter", usual.disableAfter()),
        fields.integer("probesToClose", usual.probesToClose()));
  }

  static JsonNode write(CircuitRule rule) {
    return JsonMapper.shared().valueToTree(shown(rule));
  }

  /** The rule as answers show it. */
  public static dev.ebb.contract.CircuitRule shown(CircuitRule rule) {
    return new dev.ebb.contract.CircuitRule(
        rule.enabled(),
        rule.failureRatio(),
        rule.minVotes(),
        rule.failuresInARow(),
        rule.window(),
        rule.openFor(),
        rule.longestOpen(),
        rule.disableAfter(),
        rule.probesToClose());
  }
}
