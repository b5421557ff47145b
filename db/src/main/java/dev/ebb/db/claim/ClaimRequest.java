package dev.ebb.db.claim;

import java.time.Duration;
import java.util.List;

/**
 * What a worker can start now.
 *
 * @param kinds the kinds that it has handlers for
 * @param maxJobs at most so many, 1 or more
 * @param maxBytes of payload at most, all together, 64 KiB or more; as a job may bring 64 KiB, so
 *     many of them are taken
 */
public record ClaimRequest(
    String queue, String node, List<String> kinds, int maxJobs, long maxBytes, Duration lease) {}
