package dev.ebb.api.inside;

import dev.ebb.db.connection.StatementLimit;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Asks the API as the sender of a page's request would, but within the process.
 *
 * <pre>
 *   browser ──GET /ui/jobs──▶ page ──GET /v1/jobs──▶ Rest ──▶ the rules, masks and routes of all
 * </pre>
 *
 * <p>What a page shows is what the API answers: a page has no rules of its own, and no statements.
 */
public final class Rest {
  /** How long a statement may take for a page: its reader can ask again, and jobs come first. */
  private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(2);

  private final DispatcherServlet api;

  Rest(DispatcherServlet api) {
    this.api = api;
  }

  /**
   * The answer.
   *
   * @param page the request for a page: whose sender asks
   * @param target path and query
   */
  public Reply get(HttpServletRequest page, HttpServletResponse answer, String target)
      throws ServletException, IOException {
    return ask(new InsideRequest(page, target, null, null), answer);
  }

  /** The answer to a question that takes a body of JSON. It must change nothing. */
  public Reply question(
      HttpServletRequest page, HttpServletResponse answer, String target, String json)
      throws ServletException, IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    return ask(new InsideRequest(page, target, null, body), answer);
  }

  /** The same for the owner of a token that the page's request does not carry in its headers. */
  public Reply get(HttpServletRequest page, HttpServletResponse answer, String target, String token)
      throws ServletException, IOException {
    return ask(new InsideRequest(page, target, token, null), answer);
  }

  private Reply ask(InsideRequest request, HttpServletResponse answer)
      throws ServletException, IOException {
    InsideResponse response = new InsideResponse(answer);
    try {
      return StatementLimit.within(
          LONGEST_STATEMENT,
          () -> {
            api.service(request, response);
            return response.reply();
          });
    } catch (ServletException | IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }
}
