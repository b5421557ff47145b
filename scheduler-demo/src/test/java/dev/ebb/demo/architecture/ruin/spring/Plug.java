package dev.ebb.demo.architecture.ruin.spring;

import dev.ebb.demo.architecture.ruin.demo.Toy;

/** Knows another room. */
public final class Plug {
  private Plug() {}

  public static void in() {
    Toy.play();
  }
}
