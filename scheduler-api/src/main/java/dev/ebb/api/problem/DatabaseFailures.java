package dev.ebb.api.problem;

import dev.ebb.db.UniqueKeyHeld;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells a database that cannot answer now from a statement that is wrong. */
final class DatabaseFailures {
  static final String RETRY_AFTER_SECONDS = "2";

  /**
   * SQLSTATE classes: connection, resources, operator's intervention, system error, rolled back by
   * a conflict.
   */
  private static final Set<String> PASSING_CLASSES = Set.of("08", "53", "57", "58", "40");

  /**
   * SQLSTATEs: read-only (a replica after a fail-over), a transaction that was idle or open for too
   * long, lock not available, and no such table or schema: the migrations have not run yet.
   */
  private static final Set<String> PASSING_STATES =
      Set.of("25006", "25P03", "25P04", "55P03", "42P01", "3F000");

  private DatabaseFailures() {}

  /** Whether the same statement may succeed later. */
  static boolean isPassing(SQLException failure) {
    return failure instanceof SQLTransientException
        || failure instanceof SQLRecoverableException
        || isPassing(failure.getSQLState());
  }

  /** A failure without a SQLSTATE is not the server's word on a statement, so it may pass too. */
  private static boolean isPassing(@Nullable String state) {
    return state == null
        || (state.length() == 5
            && (PASSING_CLASSES.contains(state.substring(0, 2)) || PASSING_STATES.contains(state)));
  }

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
