package dev.ebb.db.poll;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A lease that a polling worker holds.
 *
 * @param length how long a renewal makes it last
 * @param jobs those that are not settled
 */
public record PolledLease(
    long id, String queue, Instant expiresAt, Duration length, List<PolledJob> jobs) {}
