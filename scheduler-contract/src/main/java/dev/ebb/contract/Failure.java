package dev.ebb.contract;

/**
 * Why an attempt failed.
 *
 * @param reason a stable word by which failures are grouped
 * @param message a sentence for people
 */
public record Failure(String reason, String message) {}
