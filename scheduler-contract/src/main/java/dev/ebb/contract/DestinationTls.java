package dev.ebb.contract;

import java.util.List;

/**
 * What a destination has of its own for TLS, without its private key.
 *
 * @param trust the only certificates that may vouch for it; empty for the public authorities
 * @param certificate what it is shown, the own one first; empty for none
 */
public record DestinationTls(List<TlsCertificate> trust, List<TlsCertificate> certificate) {}
