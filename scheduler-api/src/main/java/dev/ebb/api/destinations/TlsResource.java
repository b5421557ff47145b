package dev.ebb.api.destinations;

import dev.ebb.contract.DestinationTls;
import dev.ebb.contract.TlsCertificate;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.tls.Certificates;
import dev.ebb.core.tls.TlsSettings;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows what destinations have of their own for TLS, without their private keys. */
final class TlsResource {
  private TlsResource() {}

  static @Nullable DestinationTls ofOrNull(@Nullable TlsSettings tls) {
    return tls == null ? null : of(tls);
  }

  static DestinationTls of(TlsSettings tls) {
    return new DestinationTls(shown(tls.trust()), shown(tls.certificate()));
  }

  /** What a newer version stored must not make a whole list unreadable. */
  private static List<TlsCertificate> shown(@Nullable String pem) {
    if (pem == null) {
      return List.of();
    }
    try {
      return Certificates.parse(pem, "").stream().map(TlsResource::shown).toList();
    } catch (InvalidInput _) {
      return List.of();
    }
  }

  private static TlsCertificate shown(X509Certificate certificate) {
    return new TlsCertificate(
        certificate.getSubjectX500Principal().getName(),
        Certificates.sha256(certificate),
        certificate.getNotAfter().toInstant());
  }
}
