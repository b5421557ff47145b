package dev.ebb.api.problem;

import dev.ebb.contract.Violation;
import dev.ebb.db.connection.SqlStates;
import java.io.Serial;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ends a request with a problem. It has no stack trace: it is an answer, not a defect. */
public final class Refusal extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final transient RefusalCause problem;

  private Refusal(RefusalCause problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  /** A refusal that a sentence explains. */
  public static Refusal of(ProblemCode code, String detail) {
    return new Refusal(RefusalCause.of(code, detail));
  }

  /** The cursor is not one of ours. */
  public static Refusal unknownCursor() {
    return of(ProblemCode.INVALID_CURSOR, "The cursor must be a nextCursor from a list.");
  }

  /** A field of the body, named by its JSON Pointer, breaks a rule. */
  public static Refusal field(String pointer, String rule) {
    return fields(List.of(Violations.of(pointer, null, rule)));
  }

  /** Fields of the body break rules; at least one does. */
  public static Refusal fields(List<Violation> violations) {
    return new Refusal(RefusalCause.of(ProblemCode.INVALID_INPUT, violations));
  }

  /** The body is not JSON, or is JSON that no field could hold. */
  public static Refusal json(String pointer, String rule) {
    return new Refusal(
        RefusalCause.of(ProblemCode.INVALID_JSON, List.of(Violations.of(pointer, null, rule))));
  }

  /** A query or path parameter breaks a rule. */
  public static Refusal parameter(String name, String rule) {
    return new Refusal(
        RefusalCause.of(ProblemCode.INVALID_PARAMETER, List.of(Violations.of(null, name, rule))));
  }

  /** A header breaks a rule. */
  public static Refusal header(String name, String rule) {
    return new Refusal(
        new RefusalCause(
            ProblemCode.INVALID_PARAMETER,
            "The header " + name + " " + rule + ".",
            List.of(Violations.of(null, name, rule)),
            Map.of()));
  }

  /** A resource that exists stands in the way; {@code null} if it cannot be named. */
  public static Refusal existing(
      ProblemCode code, String detail, List<Violation> errors, @Nullable String path) {
    return new Refusal(new RefusalCause(code, detail, errors, Map.of(), path, null));
  }

  /** The request brings no token. */
  public static Refusal unauthenticated(String detail) {
    return challenge(detail, "");
  }

  /** The request brings a token that is not live. */
  public static Refusal deadToken(String detail) {
    return challenge(detail, ", error=\"invalid_token\"");
  }

  private static Refusal challenge(String detail, String error) {
    return new Refusal(
        new RefusalCause(
            ProblemCode.UNAUTHENTICATED,
            detail,
            List.of(),
            Map.of("WWW-Authenticate", "Bearer realm=\"ebb\"" + error)));
  }

  /** The caller has used up its quota of requests, and may ask again after so many seconds. */
  public static Refusal tooManyRequests(long seconds) {
    return new Refusal(
        RefusalCause.passing(
            ProblemCode.TOO_MANY_REQUESTS,
            "The request quota is used up; try again in " + seconds + " s.",
            seconds));
  }

  /** The caller's token lacks the scope. */
  public static Refusal lacksScope(String scope) {
    return new Refusal(
        new RefusalCause(
            ProblemCode.MISSING_SCOPE,
            "The token lacks the scope " + scope + ".",
            List.of(),
            Map.of(
                "WWW-Authenticate",
                "Bearer realm=\"ebb\", error=\"insufficient_scope\", scope=\"" + scope + "\"")));
  }

  /** The node takes no changes, whoever asks. */
  public static Refusal readOnly() {
    return of(
        ProblemCode.READ_ONLY,
        "This node refuses every change, whatever the token, because it runs with"
            + " EBB_READ_ONLY=true: ask another node, or start this one without it.");
  }

  /** The database cannot be reached now. */
  public static Refusal databaseUnavailable() {
    return new Refusal(RefusalCause.databaseUnavailable());
  }

  /** The database does not serve now, for this reason. */
  public static Refusal databaseUnavailable(SQLException why) {
    return new Refusal(RefusalCause.databaseUnavailable(SqlStates.sentence(why)));
  }

  /** The same request may be served in a second. */
  public static Refusal busy(String detail) {
    return passing(ProblemCode.BUSY, detail, 1);
  }

  /** The same request may be served after so many seconds. */
  public static Refusal passing(ProblemCode code, String detail, int seconds) {
    return new Refusal(RefusalCause.passing(code, detail, seconds));
  }

  /** The queue has no room; it may have some in a second. */
  public static Refusal queueFull(String detail) {
    return new Refusal(RefusalCause.passing(ProblemCode.QUEUE_FULL, detail, 1));
  }

  public RefusalCause problem() {
    return problem;
  }
}
