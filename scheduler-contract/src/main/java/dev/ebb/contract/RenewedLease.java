package dev.ebb.contract;

import java.time.Instant;

/**
 * A lease that is still there.
 *
 * @param lease the id of the lease
 * @param expiresAt when it ends, unless it is renewed again
 */
public record RenewedLease(String lease, Instant expiresAt) {}
