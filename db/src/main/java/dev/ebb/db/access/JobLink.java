package dev.ebb.db.access;

import java.time.Instant;
import java.util.UUID;

/**
 * A link to one job's story, without its secret.
 *
 * @param id stands in the link, too
 * @param createdBy the name of the token that made it
 */
public record JobLink(
    String id, UUID jobId, String createdBy, Instant createdAt, Instant expiresAt) {}
