package dev.ebb.worker.http;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.http.Destination;
import dev.ebb.core.job.Failure;
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

  /** What comes of asking for one. */
  sealed interface Result {}

  /**
   * How its connections are secured.
   *
   * @param identity {@code null} for as usual
   */
  record Found(@Nullable TlsIdentity identity) implements Result {
    static final Found USUAL = new Found(null);
  }

  /** Nothing may be sent: the key is damaged, or cannot be read here. */
  record Refused(Failure failure) implements Result {}

  /** Nothing may be sent by this node: it lacks the key that sealed the destination's. */
  record NoKey() implements Result {}

  /**
   * That of a destination.
   *
   * @param queue its name, to which its key is bound
   */
  Result of(String queue, @Nullable Destination destination) {
    TlsSettings settings = destination == null ? null : destination.tls();
    if (settings == null) {
      return Found.USUAL;
    }
    TlsIdentity known = known(queue);
    return known != null && known.isOf(settings) ? new Found(known) : made(queue, settings);
  }

  private @Nullable TlsIdentity known(String queue) {
    synchronized (identities) {
      return identities.get(queue);
    }
  }

  private Result made(String queue, TlsSettings settings) {
    try {
      Optional<SSLContext> context = context(queue, settings);
      if (context.isEmpty()) {
        return sealed(String.valueOf(settings.sealedKey()));
      }
      TlsSocketStrategy strategy = DeliveryClient.strategy(context.get());
      return kept(queue, settings, new TlsIdentity(settings, strategy));
    } catch (InvalidInput | GeneralSecurityException _) {
      return refused(
          "client_key_unreadable", "this version cannot read the destination's tls: set it anew");
    }
  }

  /** Of two that are made at a time the first stays: connections are shared by it. */
  private Found kept(String queue, TlsSettings settings, TlsIdentity made) {
    synchronized (identities) {
      TlsIdentity first = identities.get(queue);
      if (first != null && first.isOf(settings)) {
        return new Found(first);
      }
      identities.put(queue, made);
      return new Found(made);
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

  private Result sealed(String key) {
    String what = "the key of the destination's client certificate";
    return box.hasKeyOf(key)
        ? new Refused(NoAnswer.damaged("client_key_sealed", what))
        : new NoKey();
  }

  private static Refused refused(String reason, String message) {
    return new Refused(new Failure(reason, message));
  }
}
