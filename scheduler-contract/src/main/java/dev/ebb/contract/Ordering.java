package dev.ebb.contract;

import java.time.Duration;

/**
 * What bounds the ordering keys of a queue.
 *
 * @param maxHold how long a job may keep others of its key from running
 */
public record Ordering(Duration maxHold) {}
