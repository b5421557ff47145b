package dev.ebb.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Jobs of a queue that a worker has to itself for a while.
 *
 * @param lease its id
 * @param queue where the jobs come from
 * @param expiresAt when others may have them, unless it is renewed
 * @param length how long each renewal makes it last
 * @param jobs the jobs, of which each is to be settled
 */
public record Lease(
    String lease, String queue, Instant expiresAt, Duration length, List<LeasedJob> jobs) {}
