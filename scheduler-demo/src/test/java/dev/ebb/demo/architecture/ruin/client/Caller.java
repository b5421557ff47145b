package dev.ebb.demo.architecture.ruin.client;

import dev.ebb.demo.architecture.ruin.demo.Toy;

/** Knows another room. */
public final class Caller {
  private Caller() {}

  public static void call() {
    Toy.play();
  }
}
