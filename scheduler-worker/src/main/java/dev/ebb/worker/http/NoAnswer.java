package dev.ebb.worker.http;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;

/**
 * Turns what broke an exchange into an outcome. Messages are this class's own words: the
 * exceptions' hold resolved addresses, which the senders of jobs must not learn; but for a
 * refusal's.
 *
 * <p>It is only for exchanges that broke before the response headers were there: see {@link Fault}
 * for what may be wrong behind them, and {@link NoTls} for TLS.
 *
 * <p>An address that may not be reached is fatal, {@code address_refused}. A look-up that got no
 * thread costs no attempt. Everything else is a failure, by its class.
 */
final class NoAnswer {
  private NoAnswer() {}

  static Outcome timeout() {
    return Outcome.failed(Failure.TIMEOUT, "the exchange did not end within the attempt's timeout");
  }

  /** For the record alone, of an exchange that was told to end. */
  static Outcome interrupted() {
    return Outcome.failed("interrupted", "the attempt was interrupted");
  }

  /**
   * For an attempt that had to give way to others: the job is not to blame. Each comes back at a
   * time of its own, so that attempts that gave way together do not come back together.
   */
  static Outcome gaveWay() {
    return new Outcome.NotReady(Duration.ofMillis(ThreadLocalRandom.current().nextInt(500, 1_500)));
  }

  /**
   * For an attempt that this node cannot make, because it lacks the key of a secret: others may
   * have it, and its heartbeats tell that it is missing.
   */
  static Outcome noKey() {
    int millis = ThreadLocalRandom.current().nextInt(5_000, 15_000);
    return new Outcome.NotReady(Duration.ofMillis(millis), false, true);
  }

  /** For a secret that does not open by the key that sealed it. */
  static Failure damaged(String reason, String what) {
    return new Failure(
        reason,
        what
            + " does not open by the key that sealed it: it was sealed for something else, or is"
            + " damaged");
  }

  /** For a job without a URL: another attempt helps once its queue is a destination again. */
  static Outcome noDestination(String queue) {
    return Outcome.failed(
        "no_destination", "the job has no URL, and its queue " + queue + " is no destination");
  }

  static Outcome of(IOException broken, Findings findings) {
    return NoTls.isOverClientCertificate(broken, findings)
        ? NoTls.clientCertificate(findings)
        : of(broken);
  }

  private static Outcome of(IOException broken) {
    return switch (broken) {
      case Lookups.NoThread _ -> gaveWay();
      case ProxyTunnel.Failed proxy -> Outcome.failed(proxy.reason(), proxy.sentence());
      case AddressRefused refused ->
          Outcome.fatal("address_refused", String.valueOf(refused.getMessage()));
      case Lookups.Silent _ ->
          Outcome.failed("dns_timeout", "the name servers did not answer in time");
      case UnknownHostException _ -> Outcome.failed("dns_failed", "the host's name has no address");
      case ConnectTimeoutException _ ->
          Outcome.failed("connect_timeout", "no connection within the connect timeout");
      case SocketTimeoutException _ ->
          Outcome.failed(Failure.TIMEOUT, "timed out waiting for the destination");
      case ConnectException refused when says(refused, "refused") ->
          Outcome.failed("connection_refused", "the destination refused the connection");
      case ConnectException _, NoRouteToHostException _ -> unreachable();
      case SSLException tls -> tls(tls);
      case SocketException lost when says(lost, "unreachable") -> unreachable();
      case SocketException _ -> reset();
      case NoHttpResponseException _ ->
          Outcome.failed(
              "connection_closed", "the destination closed the connection without a response");
      case ConnectionClosedException _ ->
          Outcome.failed(
              "connection_closed",
              "the destination closed the connection during the response headers");
      case MessageConstraintException _ ->
          Outcome.failed("bad_response", "interim responses exceed 64 KiB");
      case ClientProtocolException _ -> unreadable();
      default -> Outcome.failed("connection_failed", "the connection failed");
    };
  }

  /** An answer that the client could not make sense of. */
  static Outcome unreadable() {
    return Outcome.failed("bad_response", "the response is not HTTP/1.1");
  }

  private static Outcome tls(SSLException tls) {
    if (tls.getCause() instanceof SocketException) {
      return reset();
    }
    return NoTls.isClosed(tls)
        ? Outcome.failed(
            "connection_closed", "the destination closed the connection during the TLS handshake")
        : NoTls.of(tls);
  }

  private static Outcome reset() {
    return Outcome.failed("connection_reset", "the destination reset the connection");
  }

  private static Outcome unreachable() {
    return Outcome.failed("host_unreachable", "no route to the destination");
  }

  private static boolean says(SocketException exception, String word) {
    return exception.getMessage() != null && exception.getMessage().contains(word);
  }
}
