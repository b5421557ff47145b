package dev.ebb.db.claim;

import java.time.Duration;
import java.util.List;

/**
 * The jobs that a worker can start now.
 *
 * @param kinds the kinds that it has handlers for
 * @param maxJobs how many at most, 1 or more
 * @param maxBytes how much payload at most, 64 KiB or more; each job counts as the largest
 *     possible, 64 KiB
 */
public record ClaimRequest(
    String queue, String node, List<String> kinds, int maxJobs, long maxBytes, Duration lease) {}
