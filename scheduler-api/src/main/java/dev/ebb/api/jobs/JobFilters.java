package dev.ebb.api.jobs;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters.Filter;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Scope;
import dev.ebb.core.query.Condition;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.InvalidQuery;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobQuery;
import dev.ebb.core.query.QueryField;
import dev.ebb.core.query.QueryField.Parameter;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the filter of a list, a count, a stream or an operation; each value narrows it. */
public final class JobFilters {
  private static final int MOST_VALUES = 100;

  private final FilterBuilder filter = new FilterBuilder();
  private final BiFunction<String, String, Refusal> refusal;

  /** A reader that refuses a parameter, by its name, for the rule that it breaks. */
  private JobFilters(BiFunction<String, String, Refusal> refusal) {
    this.refusal = refusal;
  }

  /**
   * The filter that the parameters of a request say.
   *
   * @throws Refusal where a parameter breaks a rule, or the caller may not search payloads
   */
  public static JobFilter read(Query query, Caller caller) {
    JobFilter filter =
        new JobFilters(Refusal::parameter)
            .read(parameter -> query.values(parameter.name()), query.value("q"));
    if (filter.payload() != null) {
      caller.require(Scope.PAYLOAD_READ);
    }
    return filter;
  }

  /** The filter that a body says: the same parameters, as the fields of an object. */
  public static JobFilter read(JsonValue value) {
    JsonObject body = JsonObject.of(value);
    body.allow(Filter.JOBS.names().toArray(String[]::new));
    return new JobFilters((name, rule) -> refusal(body, name, rule))
        .read(parameter -> values(body, parameter), body.optional("q", JsonValue::string));
  }

  private static Refusal refusal(JsonObject body, String name, String rule) {
    return body.refused(new InvalidInput(name, rule));
  }

  private static @Nullable List<String> values(JsonObject body, Parameter parameter) {
    String name = parameter.name();
    return switch (parameter.form()) {
      case LIST -> list(body, name);
      case TEXT -> body.optional(name, value -> List.of(value.string()));
      case NUMBER -> body.optional(name, value -> List.of("" + value.integer()));
    };
  }

  private static List<String> list(JsonObject body, String name) {
    List<String> values = body.strings(name, MOST_VALUES + 1);
    if (values.size() > MOST_VALUES) {
      throw refusal(body, name, "must be at most " + MOST_VALUES + " strings");
    }
    return values;
  }

  private JobFilter read(
      Function<Parameter, @Nullable List<String>> values, @Nullable String query) {
    for (QueryField field : QueryField.ALL) {
      for (Parameter parameter : field.parameters()) {
        add(field, parameter, values.apply(parameter));
      }
    }
    if (query != null) {
      narrow(query);
    }
    return filter.build();
  }

  private void add(QueryField field, Parameter parameter, @Nullable List<String> values) {
    if (values == null || values.isEmpty()) {
      return;
    }
    try {
      filter.add(new Condition(field.name(), parameter.comparison(), values, false));
    } catch (InvalidInput invalid) {
      throw refusal.apply(parameter.name(), invalid.rule());
    }
  }

  private void narrow(String query) {
    try {
      JobQuery.read(query, filter);
    } catch (InvalidQuery invalid) {
      throw refusal.apply("q", invalid.rule());
    }
  }
}
