package dev.ebb.contract;

import java.time.Duration;

/**
 * A second.
 *
 * @param at since the jobs failed
 * @param attempts that each has started before it, on average
 * @param starts in it, of all together
 */
public record LoadSecond(Duration at, double attempts, double starts) {}
