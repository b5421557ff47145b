package dev.ebb.db.access;

import dev.ebb.core.access.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token as people see it.
 *
 * @param id stands in the token's text
 * @param createdBy the name of the token that made it, or {@code ./ebb}
 * @param createdById that token's id; {@code null} if it has no row
 * @param expiresAt {@code null} if it does not
 * @param lastUsedAt to the minute; {@code null} if it never was
 * @param revokedAt {@code null} while it is not
 * @param queues from which it may take jobs; {@code null} for all
 */
public record TokenView(
    String id,
    String name,
    Set<Scope> scopes,
    String createdBy,
    @Nullable String createdById,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant lastUsedAt,
    @Nullable Instant revokedAt,
    @Nullable List<String> queues) {}
