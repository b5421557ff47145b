package dev.ebb.core.signing;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Pem;
import dev.ebb.core.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;

/**
 * Ed25519 signatures in the <a href="https://github.com/secure-systems-lab/dsse">Dead Simple
 * Signing Envelope</a>, version 1. What is signed is the payload's type and its exact bytes, each
 * behind its length, so that nobody has to agree on a form of the JSON:
 *
 * <pre>
 *   DSSEv1 28 application/vnd.ebb.… 4711 {"format":…
 *          └── of the type in bytes  └── of the payload in bytes
 * </pre>
 */
public final class Dsse {
  private static final String ED25519 = "Ed25519";

  private Dsse() {}

  /** A new key; its secret is in PKCS #8. */
  public static NewKey random(SecureRandom random) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(ED25519);
      generator.initialize(NamedParameterSpec.ED25519, random);
      KeyPair pair = generator.generateKeyPair();
      return NewKey.ofPair(pair.getPrivate().getEncoded(), Pem.ofPublicKey(pair.getPublic()));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Java cannot make a key of Ed25519", impossible);
    }
  }

  /**
   * A public key out of PEM.
   *
   * @throws InvalidInput on the field {@code key}
   */
  public static PublicKey publicKey(String pem) {
    try {
      return KeyFactory.getInstance(ED25519)
          .generatePublic(new X509EncodedKeySpec(Pem.publicKey(pem, "key")));
    } catch (GeneralSecurityException _) {
      throw new InvalidInput("key", "must be a public key of Ed25519");
    }
  }

  /** The SHA-256 of the key in its X.509 form, in hexadecimal digits. */
  public static String id(PublicKey key) {
    return HexFormat.of().formatHex(Sha256.of(key.getEncoded()));
  }

  /**
   * The signature.
   *
   * @param secret in PKCS #8
   */
  public static byte[] sign(byte[] secret, String type, byte[] payload) {
    try {
      Signature signature = Signature.getInstance(ED25519);
      signature.initSign(
          KeyFactory.getInstance(ED25519).generatePrivate(new PKCS8EncodedKeySpec(secret)));
      signature.update(signed(type, payload));
      return signature.sign();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Java cannot sign by Ed25519", impossible);
    }
  }

  /** Whether the key made the signature of just this. */
  public static boolean isSigned(PublicKey key, String type, byte[] payload, byte[] signature) {
    try {
      Signature verifying = Signature.getInstance(ED25519);
      verifying.initVerify(key);
      verifying.update(signed(type, payload));
      return verifying.verify(signature);
    } catch (GeneralSecurityException _) {
      // It has not even the form of one.
      return false;
    }
  }

  private static byte[] signed(String type, byte[] payload) {
    byte[] name = type.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream content = new ByteArrayOutputStream(payload.length + 128);
    content.writeBytes(ascii("DSSEv1 " + name.length + " "));
    content.writeBytes(name);
    content.writeBytes(ascii(" " + payload.length + " "));
    content.writeBytes(payload);
    return content.toByteArray();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
