package dev.ebb.app;

/** The one executable. */
public final class Ebb {
  private Ebb() {}

  /** Runs the command named by the first argument. */
  public static void main(String[] args) {
    System.out.println("ebb");
  }
}
