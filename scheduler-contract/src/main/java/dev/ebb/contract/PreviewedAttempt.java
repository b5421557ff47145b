package dev.ebb.contract;

/**
 * An attempt's start.
 *
 * @param number the number of the attempt, from 1
 * @param chance the share of such jobs that reach it before the deadline
 * @param start when it starts
 */
public record PreviewedAttempt(int number, double chance, Times start) {}
