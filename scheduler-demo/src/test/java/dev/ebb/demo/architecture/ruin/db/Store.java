package dev.ebb.demo.architecture.ruin.db;

import dev.ebb.demo.architecture.ruin.worker.Runner;

/** Knows the worker. */
public final class Store {
  private Store() {}

  public static void open() {
    Runner.run();
  }
}
