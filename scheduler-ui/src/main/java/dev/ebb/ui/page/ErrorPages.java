package dev.ebb.ui.page;

import dev.ebb.api.problem.ProblemWriter;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.Problem;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Makes a page of a refusal, and leads who is not signed in to the sign-in. */
public final class ErrorPages implements HandlerExceptionResolver, Ordered {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorPages.class);
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHENTICATED = 401;

  private final View view;

  ErrorPages(View view) {
    this.view = view;
  }

  /** Before the API's own, which answers with JSON. */
  @Override
  public int getOrder() {
    return -1;
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception thrown) {
    Problem problem = problem(thrown);
    if (problem == null || !isPage(request.getRequestURI()) || response.isCommitted()) {
      return null;
    }
    String query = request.getQueryString();
    if (problem.status() == BAD_REQUEST && query != null) {
      String filled = Url.withoutEmpty(query);
      if (!filled.equals(query)) {
        lead(
            response,
            view.openPage(request, response).path() + (filled.isEmpty() ? "" : "?" + filled));
        return new ModelAndView();
      }
    }
    try {
      write(view.openPage(request, response), problem, response);
    } catch (IOException clientIsGone) {
      LOG.debug("The client did not wait for its answer", clientIsGone);
    }
    return new ModelAndView();
  }

  private static boolean isPage(String path) {
    return (path + "/").startsWith(View.ROOT + "/") && !path.startsWith(View.ROOT + "/files/");
  }

  private static @Nullable Problem problem(Exception thrown) {
    return switch (thrown) {
      case PageFailure failure -> failure.problem();
      case Refusal refusal -> ProblemWriter.body(refusal.problem(), null);
      default -> null;
    };
  }

  private static void lead(HttpServletResponse response, String path) {
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader("Location", path);
  }

  private void write(Page page, Problem problem, HttpServletResponse response) throws IOException {
    if (problem.status() == UNAUTHENTICATED) {
      lead(response, page.link(Url.of("/login", "next", page.self())));
      return;
    }
    page.trySignIn();
    response.setStatus(problem.status());
    response.setContentType("text/html;charset=utf-8");
    response.getOutputStream().write(view.bytes(page, "error", ErrorPage.of(page, problem)));
  }
}
