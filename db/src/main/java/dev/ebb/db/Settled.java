package dev.ebb.db;

import dev.ebb.core.Outcome;
import dev.ebb.core.Settlement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a run came to and what shall be written of it.
 *
 * @param node where it ran
 * @param startedNanos when it started, by this process's monotonic clock
 * @param took how long it ran
 * @param detail JSON text to keep with the attempt
 */
public record Settled(
    Claimed claimed,
    Outcome outcome,
    Settlement settlement,
    String node,
    long startedNanos,
    Duration took,
    @Nullable String detail) {

  Settled with(Settlement settlement) {
    return new Settled(claimed, outcome, settlement, node, startedNanos, took, detail);
  }

  /** The same without the detail of its attempt. */
  public Settled withoutDetail() {
    return new Settled(claimed, outcome, settlement, node, startedNanos, took, null);
  }

  /** How long ago it started. */
  Duration sinceStart() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }
}
