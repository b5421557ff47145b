package dev.ebb.db.named;

import java.time.Instant;

/** Settings that are stored under a name. */
public record NamedSettings<T>(String name, T settings, Instant createdAt) {
  /** Settings that were written, and whether there were none of their name before. */
  public record Write<T>(NamedSettings<T> written, boolean created) {}
}
