package dev.ebb.db.poll;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What came of a renewal.
 *
 * @param expiresAt of each lease that was renewed
 * @param locked those that are there, but that somebody else writes just now
 * @param cancelled jobs of theirs that somebody asked to stop
 * @param draining whether somebody asked the worker to poll no more
 */
public record Renewal(
    Map<Long, Instant> expiresAt, Set<Long> locked, List<UUID> cancelled, boolean draining) {}
