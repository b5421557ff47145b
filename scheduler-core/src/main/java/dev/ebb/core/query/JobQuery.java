package dev.ebb.core.query;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.query.Condition.Comparison;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Reads a query in the language of tokens. All tokens must hold; of values that commas join, one.
 *
 * <pre>
 *   state:dead,retrying      one of these; also -state:completed
 *   queue:payments kind:http label:merchant=acme key:order-9981
 *   error:"read timed out"   in the last error; quotes keep blanks, \" is a quote in them
 *   group:0948…              in this group of dead letters, or this row of groups
 *   payload:text             in the payload
 *   payload.body.order:9981  exactly in that field of the payload
 *   attempts&gt;3 attempts:2    also &gt;= &lt; &lt;=
 *   age&gt;10m age&lt;1h           since the submit
 *   created&gt;=2027-01-31      also an instant
 *   due&lt;10m                  waits, and is due already or within that time; also an instant
 *   merchant=acme            as label:merchant=acme
 *   shop42 "two words"       in id, queue, kind, unique key or a label's value
 * </pre>
 */
public final class JobQuery {
  static final int MAX_LENGTH = 1_000;
  static final int MAX_TOKENS = 50;

  /** The fields whose values may be several, joined by commas. */
  private static final Set<String> LISTS = Set.of("state", "queue", "kind");

  private JobQuery() {}

  /** Narrows the filter by the query; throws {@link InvalidQuery} where it breaks a rule. */
  public static FilterBuilder read(String query, FilterBuilder filter) {
    if (query.length() > MAX_LENGTH) {
      throw new InvalidQuery(
          query, 1, "must belong to a query of at most " + MAX_LENGTH + " characters");
    }
    List<Token> tokens = Tokens.of(query);
    if (tokens.size() > MAX_TOKENS) {
      throw tokens.get(MAX_TOKENS).refused("must be one of at most " + MAX_TOKENS + " tokens");
    }
    tokens.forEach(token -> narrow(filter, token));
    return filter;
  }

  private static void narrow(FilterBuilder filter, Token token) {
    try {
      filter.add(condition(token));
    } catch (InvalidInput invalid) {
      throw token.refused(invalid.rule());
    }
  }

  private static Condition condition(Token token) {
    List<String> values =
        LISTS.contains(token.field())
            ? List.of(token.value().split(",", -1))
            : List.of(token.value());
    Comparison comparison = Objects.requireNonNullElse(token.comparison(), Comparison.IS);
    return new Condition(token.field(), comparison, values, token.negated());
  }
}
