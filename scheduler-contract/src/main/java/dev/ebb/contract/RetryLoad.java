package dev.ebb.contract;

import java.util.List;

/**
 * What jobs that fail together ask of their receiver.
 *
 * @param jobs how many fail together
 * @param computed whether no job was simulated for it
 * @param peak the second in which most attempts start
 * @param seconds in the order of time, closest where much happens
 */
public record RetryLoad(int jobs, boolean computed, LoadSecond peak, List<LoadSecond> seconds) {}
