package dev.ebb.api.system;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.springframework.web.servlet.HandlerMapping;

/** Times every request, by route and never by path. */
public final class RequestMetrics implements Filter {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  private final MeterRegistry meters;

  public RequestMetrics(MeterRegistry meters) {
    this.meters = meters;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    long start = System.nanoTime();
    try {
      chain.doFilter(request, response);
    } finally {
      Timer.builder("ebb.http.requests")
          .description("Duration of requests by route.")
          .tags(tags((HttpServletRequest) request, (HttpServletResponse) response))
          .register(meters)
          .record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
    }
  }

  private static Tags tags(HttpServletRequest request, HttpServletResponse response) {
    Object route = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    String method = request.getMethod();
    return Tags.of(
        "route", route == null ? "none" : route.toString(),
        "method", METHODS.contains(method) ? method : "other",
        "status", Integer.toString(response.getStatus()));
  }
}
