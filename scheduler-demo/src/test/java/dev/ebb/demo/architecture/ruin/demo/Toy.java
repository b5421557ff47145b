package dev.ebb.demo.architecture.ruin.demo;

/** Stands above all others. */
public final class Toy {
  private Toy() {}

  public static void play() {}
}
