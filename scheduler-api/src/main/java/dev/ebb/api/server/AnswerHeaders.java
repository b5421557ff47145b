package dev.ebb.api.server;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Map;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;

/**
 * Gives every answer, Tomcat's own refusals included, the headers of the path that was asked for.
 */
public final class AnswerHeaders extends ValveBase {
  private static final Map<String, String> API = Map.of("Cache-Control", "no-store");

  private final Map<String, Map<String, String>> below;
  private final Drain drain;

  /**
   * @param below the headers of each path and all below it; the answers of all others must not be
   *     stored
   * @param drain once it has begun, no answer keeps its connection
   */
  public AnswerHeaders(Map<String, Map<String, String>> below, Drain drain) {
    super(true);
    this.below = Map.copyOf(below);
    this.drain = drain;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    headers(request.getDecodedRequestURI()).forEach(response::setHeader);
    if (drain.hasBegun()) {
      response.setHeader("Connection", "close");
    }
    getNext().invoke(request, response);
  }

  /** By the path as it is routed: an encoded letter leads around no rule. */
  private Map<String, String> headers(@Nullable String path) {
    return below.keySet().stream()
        .filter(root -> (path + "/").startsWith(root + "/"))
        .findFirst()
        .map(below::get)
        .orElse(API);
  }
}
