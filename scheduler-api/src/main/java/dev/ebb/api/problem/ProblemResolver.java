package dev.ebb.api.problem;

import dev.ebb.core.InvalidInput;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.submit.UniqueKeyLocked;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** The one place where an exception becomes an answer. */
public final class ProblemResolver implements HandlerExceptionResolver {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemResolver.class);
  private static final long QUIET_NANOS = Duration.ofSeconds(30).toNanos();

  /** When a failure of the database was logged last, by its state. */
  private final Map<String, Long> told = new ConcurrentHashMap<>();

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception thrown) {
    if (thrown instanceof CutAnswer) {
      // Tomcat closes a connection of whose answer somebody told that it failed half-way.
      return null;
    }
    try {
      if (!(thrown instanceof AsyncRequestNotUsableException) && !response.isCommitted()) {
        response.resetBuffer();
        RefusalCause problem = problem(words(request), thrown);
        ProblemWriter.write(response, problem.code().status(), request.getRequestURI(), problem);
      }
    } catch (IOException clientIsGone) {
      LOG.debug("The client did not wait for its answer", clientIsGone);
    }
    return new ModelAndView();
  }

  /**
   * What becomes of an exception.
   *
   * @param request its method and path, for the log
   */
  public RefusalCause problem(String request, Exception thrown) {
    return switch (thrown) {
      case Refusal refusal -> refusal.problem();
      case InvalidInput invalid ->
          RefusalCause.of(
              ProblemCode.INVALID_INPUT,
              List.of(Violations.of(Pointers.of(invalid.field()), null, invalid.rule())));
      case UniqueKeyLocked held ->
          RefusalCause.passing(
              ProblemCode.UNIQUE_KEY_HELD,
              "Another transaction has locked, or had a moment ago, "
                  + (held.uniqueKey() == null
                      ? "one of the uniqueKeys"
                      : "the uniqueKey \"" + held.uniqueKey() + "\"")
                  + ". Nothing was stored; try again.",
              1);
      case SQLException failure -> database(request, failure);
      case HttpRequestMethodNotSupportedException refused ->
          new RefusalCause(
              ProblemCode.METHOD_NOT_ALLOWED,
              "The header Allow lists the methods.",
              List.of(),
              Map.of("Allow", allowed(refused)));
      case HttpMediaTypeNotAcceptableException _ ->
          RefusalCause.of(
              ProblemCode.NOT_ACCEPTABLE, "The answer is available only as application/json.");
      case ErrorResponse refused when refused.getStatusCode().is4xxClientError() ->
          plain(ProblemCode.ofStatus(refused.getStatusCode().value()));
      case Exception defect -> internal(request, defect);
    };
  }

  private RefusalCause database(String request, SQLException failure) {
    if (!SqlStates.mayRepeat(failure)) {
      return internal(request, failure);
    }
    if (isNews(String.valueOf(failure.getSQLState()))) {
      LOG.warn(
          "The database is not available: {}: {}", SqlStates.words(failure), failure.getMessage());
    }
    return RefusalCause.databaseUnavailable(SqlStates.sentence(failure));
  }

  private boolean isNews(String state) {
    long now = System.nanoTime();
    Long last = told.get(state);
    return last == null
        ? told.putIfAbsent(state, now) == null
        : now - last >= QUIET_NANOS && told.replace(state, last, now);
  }

  private static String words(HttpServletRequest request) {
    return request.getMethod() + " " + request.getRequestURI();
  }

  static RefusalCause internal(HttpServletRequest request, Throwable defect) {
    return internal(words(request), defect);
  }

  private static RefusalCause internal(String request, Throwable defect) {
    String traceId = UUID.randomUUID().toString();
    LOG.error("{} failed, {}", request, traceId, defect);
    return RefusalCause.defect(traceId);
  }

  static RefusalCause plain(ProblemCode code) {
    return RefusalCause.of(
        code,
        code == ProblemCode.MALFORMED_REQUEST
            ? "The request's line, its path or a header breaks a rule of HTTP, or together they are"
                + " longer than 8 KiB."
            : code.title() + ".");
  }

  private static String allowed(HttpRequestMethodNotSupportedException refused) {
    String[] methods = refused.getSupportedMethods();
    // Spring answers HEAD wherever it answers GET.
    return methods == null ? "" : String.join(", ", methods).replace("GET", "GET, HEAD");
  }
}
