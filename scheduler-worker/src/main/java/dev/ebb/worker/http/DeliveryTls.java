package dev.ebb.worker.http;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * How deliveries secure their connections: as the JDK does, with a reason for what it refuses, and
 * a note where a destination asks for a client certificate and there is none to show.
 */
final class DeliveryTls {
  private DeliveryTls() {}

  /**
   * A context without a certificate.
   *
   * @param authorities those that may vouch for a destination, {@code null} for those of the JDK
   */
  static SSLContext context(@Nullable KeyStore authorities) {
    return context(authorities, new NoCertificate());
  }

  /**
   * A context with a certificate.
   *
   * @param chain its own one first
   */
  static SSLContext context(
      @Nullable KeyStore authorities, List<X509Certificate> chain, PrivateKey key) {
    return context(authorities, new OneCertificate(chain, key));
  }

  private static SSLContext context(@Nullable KeyStore authorities, KeyManager shown) {
    try {
      TrustManagerFactory jdk =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      jdk.init(authorities);
      X509ExtendedTrustManager trust =
          Stream.of(jdk.getTrustManagers())
              .filter(X509ExtendedTrustManager.class::isInstance)
              .map(X509ExtendedTrustManager.class::cast)
              .findFirst()
              .orElseThrow();
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {shown}, new TrustManager[] {new Reasons(trust)}, null);
      return context;
    } catch (GeneralSecurityException broken) {
      throw new IllegalStateException("TLS of the JDK cannot be set up", broken);
    }
  }

  /** These certificates as authorities. */
  static KeyStore authorities(List<X509Certificate> certificates) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (int i = 0; i < certificates.size(); i++) {
        store.setCertificateEntry("authority-" + i, certificates.get(i));
      }
      return store;
    } catch (GeneralSecurityException | IOException impossible) {
      throw new IllegalStateException("the JDK keeps certificates in memory", impossible);
    }
  }

  /** Trusts what the JDK trusts. */
  private static final class Reasons extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager jdk;

    Reasons(X509ExtendedTrustManager jdk) {
      this.jdk = jdk;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
        throws CertificateException {
      try {
        jdk.checkServerTrusted(chain, authType, socket);
      } catch (CertificateException refused) {
        throw new RefusedCertificate(chain, refused);
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      jdk.checkServerTrusted(chain, authType, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      jdk.checkServerTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
        throws CertificateException {
      jdk.checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      jdk.checkClientTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      jdk.checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return jdk.getAcceptedIssuers();
    }
  }

  /** Has no certificate, and notes who asks for one. */
  private static class NoCertificate extends X509ExtendedKeyManager {
    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
      Exchange.certificateWanted();
      return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      return null;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      return null;
    }
  }

  /**
   * Shows one certificate to all who ask for any of its kind, also where they do not list its
   * authority: many servers list none, or too few.
   */
  private static final class OneCertificate extends NoCertificate {
    private static final String ALIAS = "own";

    private final List<X509Certificate> chain;
    private final PrivateKey key;

    OneCertificate(List<X509Certificate> chain, PrivateKey key) {
      this.chain = List.copyOf(chain);
      this.key = key;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
      if (!List.of(keyTypes).contains(key.getAlgorithm())) {
        return super.chooseClientAlias(keyTypes, issuers, socket);
      }
      Exchange.certificateShown();
      return ALIAS;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return chain.toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return key;
    }
  }
}
