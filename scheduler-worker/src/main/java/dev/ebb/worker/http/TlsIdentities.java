package dev.ebb.worker.http;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.http.Destination;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.tls.Certificates;
import dev.ebb.core.tls.ClientKey;
import dev.ebb.core.tls.TlsSettings;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.jspecify.annotations.Nullable;

/**
 * What destinations have of their own for TLS, made ready, for the {@value #MOST} that were last
 * delivered to. A destination whose settings change gets another identity, and so other
 * connections.
 */
final class TlsIdentities {
  private static final int MOST = 1_000;

  private final SecretBox box;
  private final LruMap<TlsIdentity> identities = new LruMap<>(MOST);

  TlsIdentities(SecretBox box) {
    this.box = box;
  }

  /**
   * That of a destination; empty for as usual.
   *
   * @param queue its name, to which its key is bound
   */
  Secured<Optional<TlsIdentity>> of(String queue, @Nullable Destination destination) {
    TlsSettings settings = destination == null ? null : destination.tls();
    if (settings == null) {
      return new Secured.Ready<>(Optional.empty());
    }
    TlsIdentity known = known(queue);
    return known != null && known.isOf(settings) ? ready(known) : made(queue, settings);
  }

  private static Secured<Optional<TlsIdentity>> ready(TlsIdentity identity) {
    return new Secured.Ready<>(Optional.of(identity));
  }

  private @Nullable TlsIdentity known(String queue) {
    synchronized (identities) {
      return identities.get(queue);
    }
  }

  private Secured<Optional<TlsIdentity>> made(String queue, TlsSettings settings) {
    try {
      Optional<SSLContext> context = context(queue, settings);
      if (context.isEmpty()) {
        String what = "the key of the destination's client certificate";
        String sealed = String.valueOf(settings.sealedKey());
        return Secured.unopened(box, sealed, "client_key_sealed", what);
      }
      TlsSocketStrategy strategy = DeliveryClient.strategy(context.get());
      return ready(kept(queue, settings, new TlsIdentity(settings, strategy)));
    } catch (InvalidInput | GeneralSecurityException _) {
      return Secured.refused(
          "client_key_unreadable", "this version cannot read the destination's tls: set it anew");
    }
  }

  /** Of two that are made at a time the first stays: connections are shared by it. */
  private TlsIdentity kept(String queue, TlsSettings settings, TlsIdentity made) {
    synchronized (identities) {
      TlsIdentity first = identities.get(queue);
      if (first != null && first.isOf(settings)) {
        return first;
      }
      identities.put(queue, made);
      return made;
    }
  }

  private Optional<SSLContext> context(String queue, TlsSettings settings)
      throws GeneralSecurityException {
    String trust = settings.trust();
    String certificate = settings.certificate();
    String sealed = settings.sealedKey();
    KeyStore authorities =
        trust == null ? null : DeliveryTls.authorities(Certificates.parse(trust, "trust"));
    if (certificate == null || sealed == null) {
      return Optional.of(DeliveryTls.context(authorities));
    }
    List<X509Certificate> chain = Certificates.parse(certificate, "certificate");
    byte[] key = box.open(sealed, TlsSettings.context(queue)).orElse(null);
    return key == null
        ? Optional.empty()
        : Optional.of(DeliveryTls.context(authorities, chain, ClientKey.of(key, chain.getFirst())));
  }
}
