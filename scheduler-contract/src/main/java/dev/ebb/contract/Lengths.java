package dev.ebb.contract;

import java.time.Duration;

/** Lengths of time: their mean, and estimates of which share was no longer than what. */
public record Lengths(Duration mean, Duration p50, Duration p90, Duration p95, Duration p99) {}
