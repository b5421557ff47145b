package dev.ebb.api.inside;

import dev.ebb.api.access.AccessRules;
import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Callers;
import dev.ebb.api.access.Liveness;
import dev.ebb.api.access.RequestParts;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Conditions;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.RequestRules;
import dev.ebb.api.problem.ProblemResolver;
import dev.ebb.api.problem.ProblemWriter;
import dev.ebb.db.connection.StatementLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Asks the API as the sender of a page's request would, but within the process.
 *
 * <p>What a page shows is what the API answers: a page has no rules of its own, and no statements.
 */
public final class Rest {
  /** How long a statement may take for a page: its reader can ask again, and jobs come first. */
  private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(2);

  private static final Conditions NO_CONDITIONS = new Conditions(null, null);
  private static final Liveness NEVER_WAITS = () -> {};

  private final ObjectProvider<RequestMappingHandlerMapping> mapping;
  private final Callers callers;
  private final ProblemResolver problems;
  private volatile @Nullable Routes routes;

  Rest(
      ObjectProvider<RequestMappingHandlerMapping> mapping,
      Callers callers,
      ProblemResolver problems) {
    this.mapping = mapping;
    this.callers = callers;
    this.problems = problems;
  }

  /** Who asks. */
  @FunctionalInterface
  private interface Asker {
    Caller caller() throws SQLException;
  }

  /**
   * The reply to a GET.
   *
   * @param page the request for a page: whose sender asks
   * @param target path and query
   */
  public Reply get(HttpServletRequest page, HttpServletResponse answer, String target) {
    return reply(page, answer, () -> callers.reader(page), target, null);
  }

  /** The reply to a question that takes a body of JSON. It must change nothing. */
  public Reply question(
      HttpServletRequest page, HttpServletResponse answer, String target, String json) {
    return reply(page, answer, () -> callers.reader(page), target, json);
  }

  /** The same for the owner of a token that the page's request does not carry in its headers. */
  public Reply get(
      HttpServletRequest page, HttpServletResponse answer, String target, String token) {
    return reply(page, answer, () -> callers.owner(token), target, null);
  }

  private Reply reply(
      HttpServletRequest page,
      HttpServletResponse answer,
      Asker asker,
      String target,
      @Nullable String json) {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    String query = mark < 0 ? null : target.substring(mark + 1);
    RequestMethod method = json == null ? RequestMethod.GET : RequestMethod.POST;
    try {
      Answer told =
          StatementLimit.within(
              LONGEST_STATEMENT,
              () -> {
                Caller caller = asker.caller();
                callers.charge(caller, page, answer);
                return ask(routes().find(method, path), parts(page, caller, query, json));
              });
      return new Reply(told, null);
    } catch (Exception refused) {
      String request = "a page's question " + path;
      return new Reply(null, ProblemWriter.body(problems.problem(request, refused), path));
    }
  }

  private static Map<Class<?>, Object> parts(
      HttpServletRequest page, Caller caller, @Nullable String query, @Nullable String json) {
    return Map.of(
        Query.class,
        Query.of(query),
        Caller.class,
        caller,
        InetAddress.class,
        InetAddress.ofLiteral(page.getRemoteAddr()),
        Conditions.class,
        NO_CONDITIONS,
        Liveness.class,
        NEVER_WAITS,
        JsonObject.class,
        json == null ? JsonObject.empty() : JsonObject.parse(json));
  }

  private static Answer ask(Routes.Match match, Map<Class<?>, Object> parts) throws Exception {
    HandlerMethod route = match.handler();
    AccessRules.require(route, (Caller) part(parts, Caller.class));
    RequestRules.requireParameters(route, (Query) part(parts, Query.class));
    Object[] arguments =
        Arrays.stream(route.getMethodParameters())
            .map(parameter -> argument(parameter, match, parts))
            .toArray();
    try {
      return (Answer) route.getMethod().invoke(route.getBean(), arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause() instanceof Exception thrown ? thrown : failed;
    }
  }

  private static Object argument(
      MethodParameter parameter, Routes.Match match, Map<Class<?>, Object> parts) {
    PathVariable variable = parameter.getParameterAnnotation(PathVariable.class);
    if (variable == null) {
      return part(parts, parameter.getParameterType());
    }
    String name =
        variable.value().isEmpty() ? parameter.getParameter().getName() : variable.value();
    return Objects.requireNonNull(match.path().get(name));
  }

  /** Only what a handler declares of {@link RequestParts} is there without a request over HTTP. */
  private static Object part(Map<Class<?>, Object> parts, Class<?> type) {
    return Objects.requireNonNull(parts.get(type), type.getName());
  }

  private Routes routes() {
    Routes found = routes;
    if (found == null) {
      found = new Routes(mapping.getObject());
      routes = found;
    }
    return found;
  }
}
