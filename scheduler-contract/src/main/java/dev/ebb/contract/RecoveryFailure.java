package dev.ebb.contract;

import java.time.Instant;

/**
 * The dead letters of a recovery whose last failure has one reason.
 *
 * @param reason the reason
 * @param jobs how many have it
 * @param firstAt when the first of them died
 * @param lastAt when the last one did
 */
public record RecoveryFailure(String reason, long jobs, Instant firstAt, Instant lastAt) {}
