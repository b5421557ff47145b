package dev.ebb.api.problem;

import dev.ebb.db.submit.UniqueKeyHeld;
import java.util.List;
import java.util.Map;

/** The answers for a database that cannot do now what it was asked. */
final class DatabaseFailures {
  static final String RETRY_AFTER_SECONDS = "2";

  private DatabaseFailures() {}

  static Problem unavailable() {
    return new Problem(
        ProblemCode.DATABASE_UNAVAILABLE,
        "The database did not answer. Repeat the request; a submit with a uniqueKey cannot store"
            + " its job twice.",
        List.of(),
        Map.of("Retry-After", RETRY_AFTER_SECONDS));
  }

  static Problem uniqueKeyHeld(UniqueKeyHeld held) {
    return new Problem(
        ProblemCode.UNIQUE_KEY_HELD,
        "Another transaction holds, or a moment ago held, the uniqueKey \""
            + held.uniqueKey()
            + "\". Nothing was stored; repeat the request.",
        List.of(),
        Map.of("Retry-After", "1"));
  }
}
