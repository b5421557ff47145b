package dev.ebb.api.http;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/** Refuses, before any route sees it, what no route takes: unknown parameters of query and path. */
public final class RequestRules implements HandlerInterceptor {
  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (request.getRequestURI().indexOf(';') >= 0) {
      throw Refusal.of(ProblemCode.MALFORMED_REQUEST, "The path must not contain a semicolon.");
    }
    if (handler instanceof HandlerMethod route) {
      requireParameters(route, Query.of(request));
    }
    return true;
  }

  /** Refuses parameters that the route does not take. */
  public static void requireParameters(HandlerMethod route, Query query) {
    QueryParameters taken = route.getMethodAnnotation(QueryParameters.class);
    if (taken == null) {
      query.allow(List.of(), List.of());
    } else {
      query.allow(
          with(taken.filter().names(), taken.value()),
          with(taken.filter().repeated(), taken.repeated()));
    }
  }

  private static List<String> with(List<String> names, String... others) {
    return Stream.concat(names.stream(), Stream.of(others)).toList();
  }
}
