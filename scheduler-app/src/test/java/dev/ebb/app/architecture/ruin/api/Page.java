package dev.ebb.app.architecture.ruin.api;

import dev.ebb.app.architecture.ruin.worker.Runner;

/** Knows the worker. */
public final class Page {
  private Page() {}

  public static void show() {
    Runner.run();
  }
}
