package dev.ebb.ui.answer;

import dev.ebb.core.health.Limit;
import dev.ebb.core.health.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs Ebb.
 *
 * @param queues that its worker serves; {@code null} for all
 * @param clockSkew its clock less the database's; {@code null} if it has not told yet
 */
public record Node(
    String id,
    String role,
    String state,
    String version,
    String settingsHash,
    @Nullable List<String> queues,
    List<String> kinds,
    int concurrency,
    int inFlight,
    Instant startedAt,
    Instant heartbeatAt,
    @Nullable Instant stoppedAt,
    @Nullable Duration clockSkew) {
  /** Whether it runs jobs. */
  public boolean isWorker() {
    return role.equals("worker");
  }

  /** Whether it has been heard of lately and has not stopped. */
  public boolean isAlive() {
    return state.equals("running") || state.equals("draining");
  }

  /** Whether it claims no more. */
  public boolean isDraining() {
    return state.equals("draining");
  }

  public boolean isLost() {
    return state.equals("lost");
  }

  /** Whether its clock is so wrong that people should know. */
  public boolean isSkewed() {
    return isAlive() && clockSkew != null && Limit.CLOCK.of(clockSkew) != Verdict.OK;
  }
}
