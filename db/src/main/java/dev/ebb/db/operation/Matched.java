package dev.ebb.db.operation;

/**
 * How many jobs an operation is to cover, as far as is known.
 *
 * @param exact whether that is no estimate
 */
public record Matched(long jobs, boolean exact) {}
