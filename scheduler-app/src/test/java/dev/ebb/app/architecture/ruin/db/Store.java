package dev.ebb.app.architecture.ruin.db;

import dev.ebb.app.architecture.ruin.worker.Runner;

/** Knows the worker. */
public final class Store {
  private Store() {}

  public static void open() {
    Runner.run();
  }
}
