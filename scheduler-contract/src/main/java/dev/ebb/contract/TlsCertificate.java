package dev.ebb.contract;

import java.time.Instant;

/**
 * An X.509 certificate.
 *
 * @param subject its distinguished name (RFC 2253)
 * @param sha256 its fingerprint: 64 hexadecimal digits
 * @param expiresAt from when on it is not valid
 */
public record TlsCertificate(String subject, String sha256, Instant expiresAt) {}
