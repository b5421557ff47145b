package dev.ebb.ui.page;

import dev.ebb.api.access.Callers;
import dev.ebb.api.access.Open;
import dev.ebb.api.access.Session;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Form;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.inside.Reply;
import dev.ebb.api.inside.Rest;
import dev.ebb.contract.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Begins and ends sessions. */
@RestController
public final class LoginPage {
  private static final int MAX_FORM = 4_096;

  private final View view;
  private final Bodies bodies;
  private final Callers callers;
  private final Rest rest;

  LoginPage(View view, Bodies bodies, Callers callers, Rest rest) {
    this.view = view;
    this.bodies = bodies;
    this.callers = callers;
    this.rest = rest;
  }

  /**
   * What the form shows.
   *
   * @param next where the session begins
   * @param refused why the last try failed; {@code null} before the first
   */
  public record SignIn(@Nullable String next, @Nullable String refused) {}

  @GetMapping("/")
  @Open
  ResponseEntity<byte[]> root(HttpServletRequest request, HttpServletResponse response) {
    return to(view.openPage(request, response).link(""));
  }

  @GetMapping(View.ROOT + "/login")
  @Open
  @QueryParameters("next")
  ResponseEntity<byte[]> form(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.openPage(request, response);
    return view.html(page, "login", new SignIn(Query.of(request).value("next"), null));
  }

  @PostMapping(View.ROOT + "/login")
  @Open
  ResponseEntity<byte[]> begin(HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    Page page = view.openPage(request, response);
    Form form = bodies.form(request, MAX_FORM);
    String token = form.value("token").strip();
    String next = form.value("next");
    if (!token.matches("[!-~]{1,300}")) {
      return refused(page, next, "A token has 1 to 300 visible characters and no spaces.");
    }
    Reply me = rest.get(request, response, "/v1/me", token);
    Problem problem = me.problem();
    if (problem != null) {
      return refused(page, next, problem.detail());
    }
    ResponseEntity<byte[]> begun = to(ourOr(page.link(""), page, next));
    return callers
        .beginSession(token)
        .map(session -> with(begun, Session.begin(session, request, page.prefix())))
        .orElse(begun);
  }

  @PostMapping(View.ROOT + "/logout")
  @Open
  ResponseEntity<byte[]> end(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.openPage(request, response);
    return with(to(page.link("/login")), Session.end(request, page.prefix()));
  }

  private ResponseEntity<byte[]> refused(Page page, String next, String why) {
    return view.html(HttpStatus.FORBIDDEN, page, "login", new SignIn(next, why));
  }

  /** The address to go to, unless it is one of another site. */
  private static String ourOr(String start, Page page, String next) {
    String root = page.prefix() + View.ROOT;
    return next.matches("\\Q" + root + "\\E([/?][!-~&&[^\\\\]]*)?") ? next : start;
  }

  private static ResponseEntity<byte[]> to(String path) {
    return ResponseEntity.status(HttpStatus.SEE_OTHER).header("Location", path).build();
  }

  private static ResponseEntity<byte[]> with(ResponseEntity<byte[]> answer, String cookie) {
    return ResponseEntity.status(answer.getStatusCode())
        .headers(answer.getHeaders())
        .header("Set-Cookie", cookie)
        .build();
  }
}
