package dev.ebb.api.http;

import dev.ebb.core.retry.RetryPolicy;

/** The policies that a body may name. */
@FunctionalInterface
public interface PolicyNames {
  /**
   * The policy of that name.
   *
   * @throws dev.ebb.core.InvalidInput on the field {@code policy} if there is none
   */
  RetryPolicy named(String name);
}
