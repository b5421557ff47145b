package dev.ebb.api.http;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/** Refuses, before any route sees it, what no route takes: unknown parameters of query and path. */
public final class RequestRules implements HandlerInterceptor {
  private static final String[] NONE = {};

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (request.getRequestURI().indexOf(';') >= 0) {
      throw Refusal.of(ProblemCode.MALFORMED_REQUEST, "The path must not contain a semicolon.");
    }
    if (handler instanceof HandlerMethod route) {
      QueryParameters taken = route.getMethodAnnotation(QueryParameters.class);
      Query.of(request).allow(taken == null ? NONE : taken.value());
    }
    return true;
  }
}
