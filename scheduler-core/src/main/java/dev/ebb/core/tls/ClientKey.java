package dev.ebb.core.tls;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Pem;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Set;

/** The private key of a certificate that Ebb shows. */
public final class ClientKey {
  private static final Set<String> ALGORITHMS = Set.of("RSA", "EC");

  private ClientKey() {}

  /**
   * Reads the key of this certificate.
   *
   * @return its bytes in PKCS #8
   * @throws InvalidInput that names the field {@code key}, and no part of the text
   */
  public static byte[] parse(String text, X509Certificate own) {
    PublicKey open = own.getPublicKey();
    require(ALGORITHMS.contains(open.getAlgorithm()), "certificate", "must be of an RSA or EC key");
    byte[] pkcs8 = Pem.privateKey(text, "key");
    boolean fits = false;
    try {
      fits = fits(of(pkcs8, own), open);
    } catch (GeneralSecurityException _) {
      // The rule is told below.
    }
    require(fits, "key", "must be the private key of the first certificate");
    return pkcs8;
  }

  /** The key in these bytes, which {@link #parse} has read. */
  public static PrivateKey of(byte[] pkcs8, X509Certificate own) throws GeneralSecurityException {
    return KeyFactory.getInstance(own.getPublicKey().getAlgorithm())
        .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  private static boolean fits(PrivateKey key, PublicKey open) throws GeneralSecurityException {
    String scheme = "SHA256with" + (open.getAlgorithm().equals("EC") ? "ECDSA" : "RSA");
    byte[] content = open.getEncoded();
    Signature signing = Signature.getInstance(scheme);
    signing.initSign(key);
    signing.update(content);
    Signature verifying = Signature.getInstance(scheme);
    verifying.initVerify(open);
    verifying.update(content);
    return verifying.verify(signing.sign());
  }
}
