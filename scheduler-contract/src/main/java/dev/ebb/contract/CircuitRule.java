package dev.ebb.contract;

import java.time.Duration;

/**
 * When a destination's circuit opens and closes.
 *
 * @param enabled false for a destination whose jobs never wait for it
 * @param failureRatio of the window's votes, from which on it opens
 * @param minVotes with fewer votes in the window their ratio opens nothing
 * @param failuresInARow so many failures of different jobs without a success open it, too
 * @param window how far back votes count
 * @param openFor how long it stays open before the first probe; doubled with each that fails
 * @param longestOpen the longest time between two probes
 * @param disableAfter one that fails for so long is disabled: its jobs are kept, and probes are
 *     rare
 * @param probesToClose so many probes must succeed, one after the other, to close it
 */
public record CircuitRule(
    boolean enabled,
    double failureRatio,
    int minVotes,
    int failuresInARow,
    Duration window,
    Duration openFor,
    Duration longestOpen,
    Duration disableAfter,
    int probesToClose) {}
