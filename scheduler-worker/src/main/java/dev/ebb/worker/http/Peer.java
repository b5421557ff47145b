package dev.ebb.worker.http;

import dev.ebb.core.tls.Certificates;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The other end of a connection.
 *
 * @param address with the port; behind a proxy, the one that the proxy was asked for
 * @param kept whether an exchange before used the connection
 * @param tls {@code null} without TLS, and before its handshake has ended
 */
record Peer(String address, boolean kept, @Nullable Tls tls) {
  /**
   * What the handshake agreed on.
   *
   * @param subject of the certificate that was shown
   * @param sha256 of that certificate's bytes, in hexadecimal
   */
  record Tls(String version, String subject, String sha256) {}

  static Peer of(@Nullable SocketAddress address, @Nullable SSLSession session) {
    return new Peer(text(address), false, session == null ? null : tls(session));
  }

  /** The same when another exchange uses the connection. */
  Peer again() {
    return kept ? this : new Peer(address, true, tls);
  }

  private static String text(@Nullable SocketAddress address) {
    if (!(address instanceof InetSocketAddress known) || known.isUnresolved()) {
      return "unknown";
    }
    String literal = known.getAddress().getHostAddress();
    return (literal.indexOf(':') < 0 ? literal : "[" + literal + "]") + ":" + known.getPort();
  }

  private static @Nullable Tls tls(SSLSession session) {
    try {
      Certificate shown = session.getPeerCertificates()[0];
      return shown instanceof X509Certificate certificate
          ? new Tls(
              session.getProtocol(),
              certificate.getSubjectX500Principal().getName(),
              Certificates.sha256(certificate))
          : null;
    } catch (SSLPeerUnverifiedException _) {
      return null;
    }
  }
}
