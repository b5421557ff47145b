package dev.ebb.db.settle;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the leases of all nodes end.
 *
 * @param now the database's clock
 * @param first when the first of them ends; {@code null} if there is none
 * @param someTooFar whether some end further ahead than they are long: the clock was set back
 * @param shortest how long the shortest of them is; zero if there is none
 */
public record LeaseExpiry(
    Instant now, @Nullable Instant first, boolean someTooFar, Duration shortest) {}
