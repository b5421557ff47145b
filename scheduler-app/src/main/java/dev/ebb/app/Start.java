package dev.ebb.app;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The first class that runs: where Java is too old for the others, it says so in a sentence. It is
 * compiled for Java 17, as is the loader of the executable jar, and so knows no other class of Ebb.
 */
public final class Start {
  private static final int NEEDED = 25;

  private Start() {}

  public static void main(String[] arguments) throws Throwable {
    to("dev.ebb.app.Ebb", arguments);
  }

  /** Goes on to the program, the name of a class with a {@code main}, if Java is new enough. */
  public static void to(String program, String... arguments) throws Throwable {
    String refusal = refusal(Runtime.version(), System.getProperty("java.home"));
    if (!refusal.isEmpty()) {
      System.err.println("ebb: " + refusal);
      System.exit(1);
    }
    MethodHandles.publicLookup()
        .findStatic(
            Class.forName(program), "main", MethodType.methodType(void.class, String[].class))
        .invokeExact(arguments);
  }

  /** What to tell on this Java, empty where it will do. */
  static String refusal(Runtime.Version version, String home) {
    return version.feature() >= NEEDED
        ? ""
        : "Ebb needs Java "
            + NEEDED
            + " or newer, and "
            + home
            + " is Java "
            + version.feature()
            + ": install a newer one (for example Temurin 25 from https://adoptium.net).";
  }
}
