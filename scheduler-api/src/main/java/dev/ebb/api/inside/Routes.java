package dev.ebb.api.inside;

import dev.ebb.api.http.Answer;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/** The API's handlers by method and path, the most specific pattern first. */
final class Routes {
  private final List<Route> routes;

  Routes(RequestMappingHandlerMapping mapping) {
    this.routes =
        mapping.getHandlerMethods().entrySet().stream()
            .filter(each -> each.getValue().getMethod().getReturnType() == Answer.class)
            .flatMap(each -> routes(each.getKey(), each.getValue()))
            .sorted(Comparator.comparing(Route::pattern))
            .toList();
  }

  private record Route(RequestMethod method, PathPattern pattern, HandlerMethod handler) {}

  /** A handler, and what the path says. */
  record Match(HandlerMethod handler, Map<String, String> path) {}

  private static Stream<Route> routes(RequestMappingInfo info, HandlerMethod handler) {
    var paths = info.getPathPatternsCondition();
    return paths == null
        ? Stream.empty()
        : paths.getPatterns().stream()
            .flatMap(path ->
                info.getMethodsCondition().getMethods().stream()
                    .map(method -> new Route(method, path, handler.createWithResolvedBean())));
  }

  /**
   * The handler of a path.
   *
   * @throws Refusal if there is none
   */
  Match find(RequestMethod method, String path) {
    PathContainer parsed = PathContainer.parsePath(path);
    for (Route route : routes) {
      PathPattern.PathMatchInfo match =
          route.method() == method ? route.pattern().matchAndExtract(parsed) : null;
      if (match != null) {
        return new Match(route.handler(), match.getUriVariables());
      }
    }
    throw Refusal.of(ProblemCode.NOT_FOUND, "No resource has this path; see /v1/openapi.json.");
  }
}
