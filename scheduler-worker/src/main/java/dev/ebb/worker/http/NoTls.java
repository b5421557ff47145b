package dev.ebb.worker.http;

import dev.ebb.core.job.Outcome;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.jspecify.annotations.Nullable;

/**
 * Turns what TLS broke into an outcome.
 *
 * <pre>
 *   certificate_name               it is another host's
 *   certificate_expired            its time, or an issuer's, is over
 *   certificate_not_yet_valid      its time, or an issuer's, is to come
 *   certificate_chain_incomplete   it leads to no authority that is trusted, or to any at all
 *   certificate_untrusted          its authority is not trusted, or it is no server's
 *   client_certificate_required    the destination wants to see one, and ended the connection
 *   client_certificate_refused     the destination saw one, and ended the connection
 *   tls_protocol                   no version, or no cipher suite, in common
 *   tls_not_spoken                 what answers there does not speak TLS
 *   tls_failed                     anything else
 * </pre>
 */
final class NoTls {
  private static final Pattern ALERT = Pattern.compile("Received fatal alert: ([a-z_]+)");

  /** What servers send where they share nothing with their client. */
  private static final Set<String> NOTHING_SHARED =
      Set.of("handshake_failure", "insufficient_security", "protocol_version");

  private NoTls() {}

  /**
   * Whether the destination hung up because it got no client certificate, or does not take the one
   * it got: with TLS 1.3 it says so only after the handshake, and not all servers say it.
   */
  static boolean isOverClientCertificate(IOException broken, Findings findings) {
    boolean isAsked = findings.isCertificateWanted() || findings.isCertificateShown();
    if (!isAsked || findings.isAnswering()) {
      return false;
    }
    return switch (broken) {
      case ConnectException _, SSLPeerUnverifiedException _ -> false;
      case SSLException tls -> refusal(tls) == null;
      case SocketException _, NoHttpResponseException _, ConnectionClosedException _ -> true;
      default -> false;
    };
  }

  static Outcome clientCertificate(Findings findings) {
    return findings.isCertificateShown()
        ? Outcome.failed(
            "client_certificate_refused",
            "the destination ended the connection when it had seen the client certificate")
        : Outcome.failed(
            "client_certificate_required",
            "the destination asks for a client certificate, and there is none to show");
  }

  static Outcome of(SSLException tls) {
    RefusedCertificate refused = refusal(tls);
    if (refused != null) {
      return failed(refused.reason());
    }
    if (tls instanceof SSLPeerUnverifiedException) {
      return failed(RefusedCertificate.Reason.NAME);
    }
    String message = String.valueOf(tls.getMessage());
    Matcher alert = ALERT.matcher(message);
    if (alert.find()) {
      return alert(alert.group(1));
    }
    if (message.contains("Unsupported or unrecognized SSL message")) {
      return Outcome.failed("tls_not_spoken", "the destination's port does not speak TLS");
    }
    return message.contains("protocol version") || message.contains("ciphersuite")
        ? nothingShared()
        : Outcome.failed("tls_failed", "TLS with the destination failed");
  }

  /** Whether the destination hung up in the middle of the handshake. */
  static boolean isClosed(SSLException tls) {
    return tls.getCause() instanceof EOFException;
  }

  private static Outcome alert(String alert) {
    return NOTHING_SHARED.contains(alert)
        ? nothingShared()
        : Outcome.failed("tls_failed", "the destination ended TLS with the alert " + alert);
  }

  private static Outcome nothingShared() {
    return Outcome.failed(
        "tls_protocol", "the destination shares no TLS version from 1.2 on, or no cipher suite");
  }

  private static Outcome failed(RefusedCertificate.Reason reason) {
    return Outcome.failed(reason.code, reason.message);
  }

  private static @Nullable RefusedCertificate refusal(SSLException tls) {
    for (Throwable cause = tls; cause != null; cause = cause.getCause()) {
      if (cause instanceof RefusedCertificate refused) {
        return refused;
      }
    }
    return null;
  }
}
