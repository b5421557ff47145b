package dev.ebb.contract;

import java.util.List;

/**
 * The last attempts of a destination, the newest first.
 *
 * @param items the entries, in that order
 * @param complete whether there are no older ones
 */
public record DestinationAttemptList(List<DestinationAttempt> items, boolean complete) {}
