package dev.ebb.demo.architecture.ruin.ui;

import dev.ebb.demo.architecture.ruin.worker.Runner;

/** Knows the worker. */
public final class Page {
  private Page() {}

  public static void show() {
    Runner.run();
  }
}
