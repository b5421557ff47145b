package dev.ebb.contract;

import java.time.Duration;

/**
 * Lengths of time: their mean, and estimates of which share was no longer than what.
 *
 * @param mean their mean
 * @param p50 half of them were no longer
 * @param p90 nine in ten were no longer
 * @param p95 95 in a hundred were no longer
 * @param p99 99 in a hundred were no longer
 */
public record Lengths(Duration mean, Duration p50, Duration p90, Duration p95, Duration p99) {}
