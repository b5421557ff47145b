package dev.ebb.contract;

import java.time.Duration;

/**
 * A distribution over time.
 *
 * @param earliest the earliest possible
 * @param p10 one in ten comes no later
 * @param median half of them come no later
 * @param p90 nine in ten come no later
 * @param latest the latest possible
 */
public record Times(
    Duration earliest, Duration p10, Duration median, Duration p90, Duration latest) {}
