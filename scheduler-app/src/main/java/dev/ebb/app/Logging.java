package dev.ebb.app;

import dev.ebb.app.settings.Settings;
import java.nio.file.Path;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Where the log goes; to be said before anything logs. */
public final class Logging {
  private Logging() {}

  /**
   * To the console, as lines for people or as JSON, an object per line: for roles, whose output a
   * supervisor collects.
   */
  static void toConsole(Settings settings) {
    setLevel(settings);
    System.setProperty("ebb.version", Program.version());
    use(settings.logFormat().equals("ecs") ? "logback-console-ecs.xml" : "logback-console.xml");
  }

  /** To a file, so that the console shows only what a person should read. */
  public static void toFile(Path file, Settings settings) {
    setLevel(settings);
    System.setProperty("ebb.log", file.toString());
    use("logback-file.xml");
  }

  private static void setLevel(Settings settings) {
    System.setProperty("ebb.log.level", settings.logLevel());
  }

  /** Nowhere: a check prints its findings itself. */
  static void off() {
    use("logback-off.xml");
  }

  private static void use(String configuration) {
    System.setProperty("logback.configurationFile", configuration);
    // Spring Boot would configure it once more.
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    // Tomcat speaks to the JDK's own logging, which would write to the console.
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }
}
