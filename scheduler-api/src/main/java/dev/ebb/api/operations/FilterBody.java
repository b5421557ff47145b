package dev.ebb.api.operations;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.problem.Pointers;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.query.Condition;
import dev.ebb.core.query.Condition.Comparison;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.InvalidQuery;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobQuery;
import java.util.List;

/** A filter in a body: the parameters of the list of jobs, as fields. */
final class FilterBody {
  private static final String AT = "/filter";
  private static final int MOST_VALUES = 100;

  private final JsonObject body;
  private final FilterBuilder filter = new FilterBuilder();

  private FilterBody(JsonObject body) {
    this.body = body;
  }

  /** The filter; every field narrows it. */
  static JobFilter read(JsonValue value) {
    JsonObject body = JsonObject.of(value);
    body.allow(
        "q",
        "state",
        "queue",
        "kind",
        "label",
        "error",
        "errorGroup",
        "key",
        "payload",
        "attemptsGte",
        "createdAfter",
        "createdBefore");
    return new FilterBody(body).read();
  }

  private JobFilter read() {
    for (String field : List.of("state", "queue", "kind", "label")) {
      several(field);
    }
    compared("error", "error", Comparison.IS);
    compared("errorGroup", "group", Comparison.IS);
    compared("key", "key", Comparison.IS);
    compared("payload", "payload", Comparison.IS);
    Integer attempts = body.optional("attemptsGte", JsonValue::integer);
    if (attempts != null) {
      add("attemptsGte", Condition.of("attempts", Comparison.AT_LEAST, attempts.toString()));
    }
    compared("createdAfter", "created", Comparison.AT_LEAST);
    compared("createdBefore", "created", Comparison.BELOW);
    String query = body.optional("q", JsonValue::string);
    if (query != null) {
      narrow(query);
    }
    return filter.build();
  }

  /** Of labels a job must have all, of the others it can have but one. */
  private void several(String field) {
    List<String> values = body.strings(field, MOST_VALUES + 1);
    if (values.size() > MOST_VALUES) {
      throw refusal(field, "must be at most 100 strings");
    }
    if (!values.isEmpty()) {
      add(field, Condition.is(field, values));
    }
  }

  private void compared(String name, String field, Comparison comparison) {
    String value = body.optional(name, JsonValue::string);
    if (value != null) {
      add(name, Condition.of(field, comparison, value));
    }
  }

  private void add(String name, Condition condition) {
    try {
      filter.add(condition);
    } catch (InvalidInput invalid) {
      throw refusal(name, invalid.rule());
    }
  }

  private void narrow(String query) {
    try {
      JobQuery.read(query, filter);
    } catch (InvalidQuery invalid) {
      throw refusal("q", invalid.rule());
    }
  }

  private static Refusal refusal(String name, String rule) {
    return Refusal.field(Pointers.child(AT, name), rule);
  }
}
