package dev.ebb.db.access;

import dev.ebb.core.access.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token that is neither revoked nor expired.
 *
 * @param hash {@link dev.ebb.core.access.AccessToken#hash} of its text
 * @param expiresAt {@code null} for never
 * @param queues from which it may take jobs; {@code null} for all
 */
public record LiveToken(
    String id,
    String name,
    String hash,
    Set<Scope> scopes,
    @Nullable Instant expiresAt,
    @Nullable List<String> queues) {}
