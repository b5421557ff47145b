package dev.ebb.worker;

import dev.ebb.db.stats.Fold;
import java.sql.SQLException;
import java.time.Duration;

/** Keeps the statistics folded, whichever node comes first; and counts the queues if need be. */
final class StatsFolder {
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final Duration WHILE_BUSY = Duration.ofSeconds(1);
  private static final long LOOK_EVERY_NANOS = Duration.ofSeconds(30).toNanos();

  private final Fold fold;
  private long lookedNanos = System.nanoTime() - LOOK_EVERY_NANOS;

  StatsFolder(Fold fold) {
    this.fold = fold;
  }

  /** Folds a piece, and answers when to come again. */
  Duration step() throws SQLException {
    Fold.Step step = fold.step();
    if (step != Fold.Step.MORE && System.nanoTime() - lookedNanos >= LOOK_EVERY_NANOS) {
      lookedNanos = System.nanoTime();
      fold.recount();
    }
    return switch (step) {
      case MORE -> Duration.ZERO;
      case DONE -> EVERY;
      case BUSY -> WHILE_BUSY;
    };
  }
}
