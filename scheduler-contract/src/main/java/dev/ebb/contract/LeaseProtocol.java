package dev.ebb.contract;

import java.time.Duration;

/**
 * What this server takes of workers that poll.
 *
 * @param revision grows when requests get new fields
 * @param maxQueues from how many queues one poll may ask
 * @param maxKinds for how many kinds
 * @param maxJobs for how many jobs
 * @param maxLeases of a renewal
 * @param maxResults of a settle
 * @param shortestLease the shortest lease
 * @param longestLease the longest lease
 * @param longestWait how long a poll may wait
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
