package dev.ebb.db.queue;

import java.time.Instant;

/** When the client certificate of a destination ends, or one of its issuers'. */
public record CertificateEnd(String destination, Instant at) {}
