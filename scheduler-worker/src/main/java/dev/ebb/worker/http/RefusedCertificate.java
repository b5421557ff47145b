package dev.ebb.worker.http;

import java.io.Serial;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;

/** A destination's certificate that was refused, and why. */
final class RefusedCertificate extends CertificateException {
  @Serial private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** The kinds of refusal, as the reason of a failure names them, and in words. */
  enum Reason {
    NAME("certificate_name", "the destination's certificate is not for the host's name"),
    EXPIRED(
        "certificate_expired", "the destination's certificate, or one in its chain, has expired"),
    NOT_YET_VALID(
        "certificate_not_yet_valid",
        "the destination's certificate, or one in its chain, is not valid yet"),
    INCOMPLETE(
        "certificate_chain_incomplete",
        "the destination's certificates do not lead to a trusted authority: an intermediate"
            + " certificate is missing, or the authority is unknown"),
    UNTRUSTED(
        "certificate_untrusted",
        "the destination's certificate is not issued by a trusted authority, or not for servers");

    final String code;
    final String message;

    Reason(String code, String message) {
      this.code = code;
      this.message = message;
    }
  }

  /**
   * @param chain as the destination sent it
   * @param cause why the JDK refused it
   */
  RefusedCertificate(X509Certificate[] chain, CertificateException cause) {
    super(cause);
    this.reason = reason(chain, cause);
  }

  Reason reason() {
    return reason;
  }

  private static Reason reason(X509Certificate[] chain, CertificateException cause) {
    if (isOfAnotherName(cause)) {
      return Reason.NAME;
    }
    boolean unanchored = false;
    for (Throwable why = cause; why != null; why = why.getCause()) {
      if (why instanceof CertPathValidatorException path
          && path.getReason() instanceof BasicReason basic) {
        switch (basic) {
          case EXPIRED -> {
            return Reason.EXPIRED;
          }
          case NOT_YET_VALID -> {
            return Reason.NOT_YET_VALID;
          }
          default -> {}
        }
      }
      unanchored |= why instanceof CertPathBuilderException;
    }
    return unanchored ? unanchored(chain) : Reason.UNTRUSTED;
  }

  /** A path is not even built through a certificate whose time is over. */
  private static Reason unanchored(X509Certificate[] chain) {
    for (X509Certificate certificate : chain) {
      try {
        certificate.checkValidity();
      } catch (CertificateExpiredException _) {
        return Reason.EXPIRED;
      } catch (CertificateNotYetValidException _) {
        return Reason.NOT_YET_VALID;
      }
    }
    X509Certificate last = chain[chain.length - 1];
    boolean issuedByAnother = !last.getIssuerX500Principal().equals(last.getSubjectX500Principal());
    return issuedByAnother ? Reason.INCOMPLETE : Reason.UNTRUSTED;
  }

  /** The JDK has no class of its own for it. */
  private static boolean isOfAnotherName(CertificateException cause) {
    String message = String.valueOf(cause.getMessage());
    return message.startsWith("No subject alternative") || message.startsWith("No name matching");
  }
}
