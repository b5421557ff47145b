package dev.ebb.api.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Writes a problem as {@code application/problem+json}, whatever the request accepts. */
final class ProblemWriter {
  private static final JsonMapper JSON = JsonMapper.shared();

  private ProblemWriter() {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Body(
      String type,
      String title,
      int status,
      String detail,
      @Nullable String instance,
      String code,
      boolean retryable,
      @Nullable String existing,
      @Nullable String traceId,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Violation> errors) {}

  static void write(
      HttpServletResponse response, int status, @Nullable String path, Problem problem)
      throws IOException {
    ProblemCode code = problem.code();
    Body body =
        new Body(
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
    byte[] bytes = JSON.writeValueAsBytes(body);
    problem.headers().forEach(response::setHeader);
    response.setStatus(status);
    response.setContentType("application/problem+json");
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
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
