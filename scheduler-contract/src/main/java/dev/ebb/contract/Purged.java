package dev.ebb.contract;

/**
 * What a purge took, and what it left.
 *
 * @param purged how many jobs this request cancelled
 * @param remaining how many that it was to take are left, counted up to 10,000
 */
public record Purged(int purged, int remaining) {}
