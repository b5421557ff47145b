package dev.ebb.demo.architecture.ruin.cron;

import dev.ebb.demo.architecture.ruin.worker.Runner;

/** Knows the worker. */
public final class Clock {
  private Clock() {}

  public static void strike() {
    Runner.run();
  }
}
