package dev.ebb.core;

import static dev.ebb.core.InvalidInput.require;

import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** Keys and certificates as text (RFC 7468). */
public final class Pem {
  /** About twice what a key of 4096 bits needs. */
  private static final int LONGEST = 8_192;

  private static final int LINE = 64;
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII));

  private Pem() {}

  public static String ofPublicKey(PublicKey key) {
    return block("PUBLIC KEY", key.getEncoded());
  }

  public static String ofCertificate(X509Certificate certificate) {
    try {
      return block("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException impossible) {
      throw new IllegalStateException("what was decoded has its bytes", impossible);
    }
  }

  private static String block(String label, byte[] bytes) {
    String lines = LINES.encodeToString(bytes);
    return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
  }

  /**
   * The bytes of a key in PKCS #8, as PEM or in base64 alone.
   *
   * @throws InvalidInput that names the field, and no part of the text
   */
  public static byte[] privateKey(String text, String field) {
    return bytes(
        "PRIVATE KEY",
        text,
        field,
        "must be one unencrypted PRIVATE KEY, as from: openssl pkcs8 -topk8 -nocrypt");
  }

  /** The same of a public key in its X.509 form. */
  public static byte[] publicKey(String text, String field) {
    return bytes("PUBLIC KEY", text, field, "must be one PUBLIC KEY");
  }

  private static byte[] bytes(String label, String text, String field, String rule) {
    require(text.length() <= LONGEST, field, "must be at most " + LONGEST + " characters");
    String begin = "-----BEGIN " + label + "-----";
    String end = "-----END " + label + "-----";
    String base64 = text.strip();
    if (base64.startsWith(begin) && base64.endsWith(end)) {
      base64 = base64.substring(begin.length(), base64.length() - end.length());
    }
    require(!base64.startsWith("-"), field, rule);
    try {
      return Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
    } catch (IllegalArgumentException _) {
      throw new InvalidInput(field, "must be PEM or base64");
    }
  }
}
