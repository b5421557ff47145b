package dev.ebb.core.circuit;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt says of its destination.
 *
 * <pre>
 *   completed, or the answer that it is too early         good
 *   5xx, 408, 3xx, a body that is no success, a timeout,
 *   a connection or TLS that failed, a class "retryable"  bad
 *   410 Gone, a class "disable"                           gone
 *   any other 4xx, permanent, throttled                   neutral: about the job, or asks for less
 *   our resolver, our proxy, our keys, a lost worker      neutral: about Ebb
 *   gave way to others, cancelled, given back             none
 * </pre>
 */
public enum Vote {
  GOOD,
  BAD,
  /** The destination says that there is no such one any more. */
  GONE,
  /** It called the destination. */
  NEUTRAL,
  /** It did not. */
  NONE;

  private static final String STATUS = "http_";
  private static final String CLIENT_ERROR = "http_4";
  private static final String REQUEST_TIMEOUT = "http_408";

  /** Reasons of failures that are Ebb's own, or its surroundings'. */
  private static final Set<String> OURS =
      Set.of(
          Failure.WORKER_LOST,
          Failure.EXCEPTION,
          Failure.UNREADABLE_PAYLOAD,
          "interrupted",
          "no_destination",
          "dns_timeout");

  /** Before the reasons of failures of the sending side's proxy and secrets. */
  private static final Set<String> OUR_PREFIXES =
      Set.of("proxy_", "signing_", "client_key_", "header_");

  /** Before the reasons of failures without a response. */
  private static final Set<String> UNREACHED =
      Set.of("dns_", "connect", "host_unreachable", "tls_");

  /** The vote of an attempt with this outcome. */
  public static Vote of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed() -> GOOD;
      case Outcome.Failed(Failure failure) -> of(failure.reason());
      case Outcome.Fatal(_, boolean gone) -> gone ? GONE : NEUTRAL;
      case Outcome.Throttled _ -> NEUTRAL;
      case Outcome.NotReady notReady -> notReady.answered() ? GOOD : NONE;
      case Outcome.Cancelled _, Outcome.GivenBack _ -> NONE;
    };
  }

  private static Vote of(String reason) {
    boolean isOfTheJob = reason.startsWith(CLIENT_ERROR) && !reason.equals(REQUEST_TIMEOUT);
    boolean isOurs = OURS.contains(reason) || OUR_PREFIXES.stream().anyMatch(reason::startsWith);
    return isOfTheJob || isOurs ? NEUTRAL : BAD;
  }

  /** Whether the destination answered with a status that is no success. */
  public static boolean isAnswered(@Nullable Failure failure) {
    return failure != null && failure.reason().startsWith(STATUS);
  }

  /**
   * Whether a failure with this reason may as well be the network's on this side: no response came.
   */
  public static boolean isUnreached(String reason) {
    return reason.equals(Failure.TIMEOUT) || UNREACHED.stream().anyMatch(reason::startsWith);
  }
}
