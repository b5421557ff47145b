package dev.ebb.contract;

import java.util.List;

/**
 * What jobs that fail together ask of their receiver.
 *
 * @param computed whether no job was simulated for it
 */
public record RetryLoad(int jobs, boolean computed, LoadSecond peak, List<LoadSecond> seconds) {}
