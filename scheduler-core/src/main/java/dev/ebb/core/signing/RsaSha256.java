package dev.ebb.core.signing;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Pem;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017), with a private key in PKCS #8 of which the receiver
 * has the public one.
 */
final class RsaSha256 implements Algorithm {
  private static final String SCHEME = "SHA256withRSA";
  private static final int BITS = 2048;
  private static final int MOST_BITS = 4096;

  @Override
  public byte[] sign(byte[] secret, byte[] content) throws GeneralSecurityException {
    return sign(key(secret), content);
  }

  private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
    return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  private static byte[] sign(PrivateKey key, byte[] content) throws GeneralSecurityException {
    Signature signature = Signature.getInstance(SCHEME);
    signature.initSign(key);
    signature.update(content);
    return signature.sign();
  }

  @Override
  public NewKey random(SecureRandom random) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(BITS, random);
    KeyPair pair = generator.generateKeyPair();
    return NewKey.ofPair(pair.getPrivate().getEncoded(), Pem.ofPublicKey(pair.getPublic()));
  }

  @Override
  public NewKey given(String text, @Nullable SecretEncoding encoding) {
    require(
        encoding == null || encoding == SecretEncoding.BASE64,
        "encoding",
        "must be absent or base64 with an RSA key");
    byte[] pkcs8 = Pem.privateKey(text, "secret");
    return NewKey.ofPair(pkcs8, Pem.ofPublicKey(publicKey(pkcs8)));
  }

  private static PublicKey publicKey(byte[] pkcs8) {
    try {
      if (key(pkcs8) instanceof RSAPrivateCrtKey key) {
        int bits = key.getModulus().bitLength();
        require(
            bits >= BITS && bits <= MOST_BITS,
            "secret",
            "must be a key of " + BITS + " to " + MOST_BITS + " bits");
        return verifying(key);
      }
    } catch (GeneralSecurityException _) {
      // The rule is told below.
    }
    throw new InvalidInput("secret", "must be an RSA key in PKCS #8, with its public exponent");
  }

  /** A signature by a key whose parts do not fit can give the key away. */
  private static PublicKey verifying(RSAPrivateCrtKey key) throws GeneralSecurityException {
    boolean isWhole = key.getPrimeP().multiply(key.getPrimeQ()).equals(key.getModulus());
    PublicKey open =
        KeyFactory.getInstance("RSA")
            .generatePublic(new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent()));
    byte[] content = BigInteger.ONE.toByteArray();
    Signature signature = Signature.getInstance(SCHEME);
    signature.initVerify(open);
    signature.update(content);
    require(
        isWhole && signature.verify(sign(key, content)), "secret", "must be a key that is whole");
    return open;
  }
}
