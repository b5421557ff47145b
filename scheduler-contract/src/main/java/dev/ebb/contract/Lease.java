package dev.ebb.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Jobs of a queue that a worker has to itself for a while.
 *
 * @param lease its id
 * @param length how long each renewal makes it last
 */
public record Lease(
    String lease, String queue, Instant expiresAt, Duration length, List<LeasedJob> jobs) {}
