package dev.ebb.worker.http;

import static dev.ebb.core.InvalidInput.requireBetween;

import dev.ebb.core.job.NewJob;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How deliveries are made.
 *
 * @param allow what they may reach beyond public addresses, as {@code EBB_DELIVERY_ALLOW} lists it:
 *     addresses, networks and names with optional ports, separated by commas; empty for nothing. A
 *     network has /8 or more in IPv4, /16 in IPv6. Ports of other services (22, 25, 5432, …) are
 *     reached only where an entry names the port, also at public addresses. A name without a dot is
 *     refused alike whether it exists or not, unless it is listed. Metadata services and IPv4's
 *     link-local addresses (169.254.0.0/16) stay out of reach even within a wider network or behind
 *     a name
 * @param timeout how long an attempt may take unless its job says otherwise, 100 ms to one day; cut
 *     to the longest
 * @param longestTimeout how long an attempt may take whatever its job says, one second to one day
 * @param concurrency how many jobs the worker runs at a time, 1 to 100,000: no destination host has
 *     more than half of that
 * @param proxy which all deliveries go through; {@code null} for none
 */
public record HttpHandlerConfig(
    String allow,
    Duration timeout,
    Duration longestTimeout,
    int concurrency,
    @Nullable DeliveryProxy proxy) {

  public HttpHandlerConfig {
    AllowList.parse(allow);
    requireBetween(timeout, Duration.ofMillis(100), NewJob.MAX_TIMEOUT, "timeout");
    requireBetween(longestTimeout, Duration.ofSeconds(1), NewJob.MAX_TIMEOUT, "longestTimeout");
    requireBetween(concurrency, 1, 100_000, "concurrency");
  }

  /** Public addresses only, 15 seconds and at most a minute. */
  public static HttpHandlerConfig defaults() {
    return new HttpHandlerConfig("", Duration.ofSeconds(15), Duration.ofMinutes(1), 500, null);
  }

  /** The same with another list of what may be reached beyond public addresses. */
  public HttpHandlerConfig withAllow(String allow) {
    return new HttpHandlerConfig(allow, timeout, longestTimeout, concurrency, proxy);
  }

  /** The same with another default timeout. */
  public HttpHandlerConfig withTimeout(Duration timeout) {
    return new HttpHandlerConfig(allow, timeout, longestTimeout, concurrency, proxy);
  }

  /** The same with another longest timeout. */
  public HttpHandlerConfig withLongestTimeout(Duration longestTimeout) {
    return new HttpHandlerConfig(allow, timeout, longestTimeout, concurrency, proxy);
  }

  /** The same for a worker of another concurrency. */
  public HttpHandlerConfig withConcurrency(int concurrency) {
    return new HttpHandlerConfig(allow, timeout, longestTimeout, concurrency, proxy);
  }

  /** The same through a proxy, or through none. */
  public HttpHandlerConfig withProxy(@Nullable DeliveryProxy proxy) {
    return new HttpHandlerConfig(allow, timeout, longestTimeout, concurrency, proxy);
  }
}
