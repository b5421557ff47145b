package dev.ebb.demo.architecture.ruin.core;

import dev.ebb.demo.architecture.ruin.db.Store;
import java.util.concurrent.ThreadLocalRandom;

/** Reads the clock, draws by chance, starts a thread, and knows who stores it. */
public final class Policy {
  private Policy() {}

  static long decide() {
    Thread.ofVirtual().start(Store::open);
    return System.nanoTime() + ThreadLocalRandom.current().nextLong();
  }
}
