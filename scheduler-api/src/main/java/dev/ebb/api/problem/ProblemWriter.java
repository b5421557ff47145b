package dev.ebb.api.problem;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Writes a problem as {@code application/problem+json}, whatever the request accepts. */
final class ProblemWriter {
  private static final JsonMapper JSON = JsonMapper.shared();

  private ProblemWriter() {}

  static void write(
      HttpServletResponse response, int status, @Nullable String path, Problem problem)
      throws IOException {
    byte[] bytes = JSON.writeValueAsBytes(ProblemBody.of(problem, status, path));
    problem.headers().forEach(response::setHeader);
    response.setStatus(status);
    response.setContentType("application/problem+json");
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
