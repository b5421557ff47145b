package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

import dev.ebb.core.job.NewJob;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the deliveries of a queue go, and what holds for each of them. The rules for the text are
 * those of {@link HttpDelivery}.
 *
 * @param url with a query at will
 * @param method {@code null} for {@value HttpDelivery#DEFAULT_METHOD}
 * @param headers that every delivery has, such as the receiver's own token; at most {@value
 *     HttpDelivery#MAX_HEADERS}
 * @param rules what responses mean
 * @param timeout of an attempt whose job has none, 100 ms to one day; {@code null} for the worker's
 * @param labels by which people know it, as those of a job
 */
public record Destination(
    URI url,
    @Nullable String method,
    Map<String, String> headers,
    ResponseRules rules,
    @Nullable Duration timeout,
    Map<String, String> labels) {
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofDays(1);

  public Destination {
    url = HttpUrl.parse(url.toString());
    if (method != null) {
      HeaderRules.requireMethod(method);
      require(!method.equals("GET"), "method", "must not be GET, which sends no body");
    }
    headers = HeaderRules.checked(headers, HttpDelivery.MAX_HEADERS);
    if (timeout != null) {
      requireBetween(timeout, SHORTEST, LONGEST, "timeout");
    }
    labels = NewJob.checkedLabels(labels);
  }
}
