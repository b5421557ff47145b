package dev.ebb.api.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A problem as an answer shows it (RFC 9457): alone, or in the place of one of several things. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProblemBody(
    String type,
    String title,
    int status,
    String detail,
    @Nullable String instance,
    String code,
    boolean retryable,
    @Nullable String existing,
    @Nullable String traceId,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Violation> errors) {

  /** The problem of the request for that path, with the status that is its own. */
  public static ProblemBody of(Problem problem, @Nullable String path) {
    return of(problem, problem.code().status(), path);
  }

  static ProblemBody of(Problem problem, int status, @Nullable String path) {
    ProblemCode code = problem.code();
    return new ProblemBody(
        "urn:ebb:problem:" + code.word(),
        code.title(),
        status,
        problem.detail(),
        instance(path),
        code.word(),
        code.retryable(),
        problem.existing(),
        problem.traceId(),
        problem.errors());
  }

  /** The path as the sender wrote it, where that is a URI at all. */
  private static @Nullable String instance(@Nullable String path) {
    if (path == null || path.isEmpty() || path.length() > 1000) {
      return null;
    }
    try {
      return new URI(path).toASCIIString();
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
