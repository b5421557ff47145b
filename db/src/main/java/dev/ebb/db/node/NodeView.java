package dev.ebb.db.node;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node as people see it.
 *
 * @param stoppedAt {@code null} as long as it has not said that it stopped
 * @param skew the node's clock less the database's; {@code null} if it has not told yet
 * @param networkSuspected whether it suspects its own network or resolver
 * @param polls whether it is a worker that polls over HTTP
 * @param missingKeys the ids of keys that sealed what is stored, and that it has not; {@code null}
 *     if it does not tell
 */
public record NodeView(
    NodeFacts facts,
    State state,
    Instant startedAt,
    Instant heartbeatAt,
    @Nullable Instant stoppedAt,
    int inFlight,
    @Nullable Duration skew,
    boolean networkSuspected,
    boolean polls,
    @Nullable List<String> missingKeys) {

  /** Whether it works. */
  public enum State {
    RUNNING,
    /** It claims no more, because it ends or because somebody asked it to. */
    DRAINING,
    /** It said that it stopped. */
    STOPPED,
    /** It has said nothing for the time of three heartbeats. */
    LOST
  }
}
