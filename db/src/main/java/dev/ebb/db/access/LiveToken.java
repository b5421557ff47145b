package dev.ebb.db.access;

import dev.ebb.core.access.Scope;
import java.util.Set;

/**
 * A token that is neither revoked nor expired.
 *
 * @param hash {@link dev.ebb.core.access.AccessToken#hash} of its text
 */
public record LiveToken(String id, String name, String hash, Set<Scope> scopes) {}
