package dev.ebb.core.tls;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Pem;
import dev.ebb.core.Sha256;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** X.509 certificates as PEM. */
public final class Certificates {
  private static final int MOST = 10;
  private static final int LONGEST = 65_536;
  private static final Pattern BLOCKS =
      Pattern.compile(
          "\\s*(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\\s]*+-----END CERTIFICATE-----\\s*)+");

  private Certificates() {}

  /**
   * Reads one to ten certificates, and nothing else: a private key among them would be stored as it
   * is.
   *
   * @throws InvalidInput that names the field
   */
  public static List<X509Certificate> parse(String pem, String field) {
    require(pem.length() <= LONGEST, field, "must be at most " + LONGEST + " characters");
    require(BLOCKS.matcher(pem).matches(), field, "must be PEM blocks of CERTIFICATE alone");
    List<X509Certificate> certificates;
    try {
      certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
    } catch (CertificateException _) {
      throw new InvalidInput(field, "must be X.509 certificates");
    }
    require(
        !certificates.isEmpty() && certificates.size() <= MOST,
        field,
        "must be one to " + MOST + " certificates");
    return certificates;
  }

  /** The fingerprint of one: the SHA-256 of its bytes as 64 hexadecimal digits. */
  public static String sha256(X509Certificate certificate) {
    try {
      return HexFormat.of().formatHex(Sha256.of(certificate.getEncoded()));
    } catch (CertificateEncodingException impossible) {
      throw new IllegalStateException("what was decoded has its bytes", impossible);
    }
  }

  /** Those as text, each as the last. */
  public static String pem(List<X509Certificate> certificates) {
    return certificates.stream().map(Pem::ofCertificate).collect(Collectors.joining());
  }
}
