package dev.ebb.contract;

import java.time.Duration;

/**
 * What this server takes of workers that poll.
 *
 * @param revision grows when requests get new fields
 * @param maxLeases of a renewal
 * @param maxResults of a settle
 */
public record LeaseProtocol(
    int revision,
    int maxQueues,
    int maxKinds,
    int maxJobs,
    int maxLeases,
    int maxResults,
    Duration shortestLease,
    Duration longestLease,
    Duration longestWait) {}
