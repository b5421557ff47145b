package dev.ebb.db.policy;

import dev.ebb.core.retry.RetryPolicy;
import java.time.Instant;

/** A retry policy that is stored under a name. */
public record PolicyView(String name, RetryPolicy policy, Instant createdAt) {}
