package dev.ebb.db.view;

import java.time.Instant;

/**
 * The dead letters whose last failure has one reason.
 *
 * @param first when the first of them died
 * @param last when the last one did
 */
public record FailureCount(String reason, long jobs, Instant first, Instant last) {}
