package dev.ebb.db.poll;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What came of a renewal.
 *
 * @param expiresAt of each lease that is still there
 * @param cancelled jobs of theirs that somebody asked to stop
 * @param draining whether somebody asked the worker to poll no more
 */
public record Renewal(Map<Long, Instant> expiresAt, List<UUID> cancelled, boolean draining) {}
