package dev.ebb.contract;

import java.time.Instant;

/** A lease that is still there. */
public record RenewedLease(String lease, Instant expiresAt) {}
