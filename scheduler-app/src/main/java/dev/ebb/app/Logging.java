package dev.ebb.app;

import java.nio.file.Path;

/** Where the log goes; to be said before anything logs. */
final class Logging {
  private Logging() {}

  /** To the console, a line per event: for roles, whose output a supervisor collects. */
  static void toConsole() {
    use("logback-console.xml");
  }

  /** To a file, so that the console keeps to what a person shall read. */
  static void toFile(Path file) {
    System.setProperty("ebb.log", file.toString());
    use("logback-file.xml");
  }

  private static void use(String configuration) {
    System.setProperty("logback.configurationFile", configuration);
    // Spring Boot would configure it once more.
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
  }
}
