package dev.ebb.api.jobs;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.Query;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Scope;
import dev.ebb.core.query.Condition;
import dev.ebb.core.query.Condition.Comparison;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.InvalidQuery;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobQuery;
import java.util.List;

/** Reads the filter of a list, a count or a stream from the parameters of a request. */
public final class JobFilters {
  private final Query query;
  private final FilterBuilder filter = new FilterBuilder();

  private JobFilters(Query query) {
    this.query = query;
  }

  /**
   * The filter; every parameter narrows it.
   *
   * @throws Refusal where a parameter breaks a rule, or the caller may not search payloads
   */
  public static JobFilter read(Query query, Caller caller) {
    JobFilter filter = new JobFilters(query).read();
    if (filter.payload() != null) {
      caller.require(Scope.PAYLOAD_READ);
    }
    return filter;
  }

  private JobFilter read() {
    oneOf("state");
    oneOf("queue");
    oneOf("kind");
    query.values("label").forEach(label -> add("label", Condition.is("label", List.of(label))));
    compared("error", "error", Comparison.IS);
    compared("errorGroup", "group", Comparison.IS);
    compared("key", "key", Comparison.IS);
    compared("payload", "payload", Comparison.IS);
    compared("attemptsGte", "attempts", Comparison.AT_LEAST);
    compared("createdAfter", "created", Comparison.AT_LEAST);
    compared("createdBefore", "created", Comparison.BELOW);
    String text = query.value("q");
    if (text != null) {
      narrow(text);
    }
    return filter.build();
  }

  private void oneOf(String field) {
    List<String> values = query.values(field);
    if (!values.isEmpty()) {
      add(field, Condition.is(field, values));
    }
  }

  private void compared(String parameter, String field, Comparison comparison) {
    String value = query.value(parameter);
    if (value != null) {
      add(parameter, Condition.of(field, comparison, value));
    }
  }

  private void add(String parameter, Condition condition) {
    try {
      filter.add(condition);
    } catch (InvalidInput invalid) {
      throw Refusal.parameter(parameter, invalid.rule());
    }
  }

  private void narrow(String text) {
    try {
      JobQuery.read(text, filter);
    } catch (InvalidQuery invalid) {
      throw Refusal.parameter("q", invalid.rule());
    }
  }
}
