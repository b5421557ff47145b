package dev.ebb.db.view;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of some delivery that has ended, without what it sent and got.
 *
 * @param outcome completed, failed, throttled, fatal, cancelled, given_back
 * @param reason why it failed; {@code null} unless it did
 * @param status of the response; {@code null} for none
 * @param rule the one that decided, in words for people; {@code null} for none
 */
public record EndedAttempt(
    UUID job,
    int number,
    String node,
    Instant startedAt,
    Instant endedAt,
    String outcome,
    @Nullable String reason,
    @Nullable Integer status,
    @Nullable String rule) {}
