package dev.ebb.db.loop;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all loops of this process, from a thread of its own: one that hangs in a turn neither
 * fails nor recovers, and could say nothing of it. Its thread lives as long as there are loops.
 */
final class LoopWatch {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final LoopWatch OF_THE_PROCESS = new LoopWatch();

  private final Set<Watched> loops = new HashSet<>();
  private @Nullable Thread thread;

  private LoopWatch() {}

  static void add(Watched loop) {
    OF_THE_PROCESS.watch(loop);
  }

  static void remove(Watched loop) {
    OF_THE_PROCESS.forget(loop);
  }

  private synchronized void watch(Watched loop) {
    loops.add(loop);
    if (thread == null) {
      thread = Thread.ofPlatform().name("ebb-loop-watch").daemon().start(this::run);
    }
  }

  private synchronized void forget(Watched loop) {
    loops.remove(loop);
  }

  private void run() {
    for (List<Watched> all = next(); !all.isEmpty(); all = next()) {
      all.forEach(Watched::look);
    }
  }

  private List<Watched> next() {
    LockSupport.parkNanos(EVERY.toNanos());
    return watched();
  }

  /** None, and this thread ends, if there are none any more. */
  private synchronized List<Watched> watched() {
    if (loops.isEmpty()) {
      thread = null;
    }
    return List.copyOf(loops);
  }
}
