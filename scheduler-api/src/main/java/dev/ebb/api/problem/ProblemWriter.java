package dev.ebb.api.problem;

import dev.ebb.contract.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Says why a request was refused: alone, or in the place of one of several things. */
public final class ProblemWriter {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int LONGEST_PATH = 1000;

  private ProblemWriter() {}

  /** Writes {@code application/problem+json}, whatever the request accepts. */
  static void write(
      HttpServletResponse response, int status, @Nullable String path, RefusalCause cause)
      throws IOException {
    byte[] bytes = JSON.writeValueAsBytes(body(cause, status, path));
    cause.headers().forEach(response::setHeader);
    response.setStatus(status);
    response.setContentType("application/problem+json");
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }

  /** The problem of the request for that path, with the status that is its own. */
  public static Problem body(RefusalCause cause, @Nullable String path) {
    return body(cause, cause.code().status(), path);
  }

  private static Problem body(RefusalCause cause, int status, @Nullable String path) {
    ProblemCode code = cause.code();
    return new Problem(
        "urn:ebb:problem:" + code.word(),
        code.title(),
        status,
        cause.detail(),
        instance(path),
        code.word(),
        code.retryable(),
        cause.existing(),
        cause.traceId(),
        cause.errors());
  }

  /** The path as the sender wrote it, where that is a URI at all. */
  private static @Nullable String instance(@Nullable String path) {
    if (path == null || path.isEmpty() || path.length() > LONGEST_PATH) {
      return null;
    }
    try {
      return new URI(path).toASCIIString();
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
