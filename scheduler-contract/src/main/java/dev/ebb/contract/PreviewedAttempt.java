package dev.ebb.contract;

/**
 * An attempt's start.
 *
 * @param chance the share of such jobs that reach it before the deadline
 */
public record PreviewedAttempt(int number, double chance, Times start) {}
