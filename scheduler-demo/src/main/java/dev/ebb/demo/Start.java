package dev.ebb.demo;

/** The demo's first class, compiled for Java 17 as the app's is. */
public final class Start {
  private Start() {}

  public static void main(String[] arguments) throws Throwable {
    dev.ebb.app.Start.to("dev.ebb.demo.Main", arguments);
  }
}
