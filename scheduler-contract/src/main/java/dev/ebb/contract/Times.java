package dev.ebb.contract;

import java.time.Duration;

/** A distribution over time. */
public record Times(
    Duration earliest, Duration p10, Duration median, Duration p90, Duration latest) {}
