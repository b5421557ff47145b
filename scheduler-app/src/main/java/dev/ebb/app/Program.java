package dev.ebb.app;

import dev.ebb.app.roles.Lifetime;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Given;
import dev.ebb.app.settings.Setting;
import dev.ebb.app.settings.Settings;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import org.slf4j.LoggerFactory;

/** A process from its start to its end, whatever it was asked for. */
public final class Program {
  private Program() {}

  /** What the process does. */
  @FunctionalInterface
  public interface Body {
    void run() throws Exception;
  }

  /** The parts that a lasting process starts; they end with its lifetime. */
  @FunctionalInterface
  public interface Start {
    void in(Lifetime lifetime) throws Exception;
  }

  /** Runs it; one that cannot start ends the process with a sentence and an exit code. */
  public static void run(Body body) throws Exception {
    // The driver sends it to the server, which knows fewer zones than the JVM.
    TimeZone.setDefault(TimeZone.getTimeZone(ZoneOffset.UTC));
    NoSerialization.enforce();
    try {
      body.run();
    } catch (CannotStart cannot) {
      cannot.sentence().lines().forEach(line -> System.err.println("ebb: " + line));
      System.exit(cannot.exitCode());
    } catch (Exception | Error defect) {
      // Threads that have started would keep the process alive, so that nobody restarts it.
      LoggerFactory.getLogger(Program.class).error("ended by a defect", defect);
      System.exit(CannotStart.UNABLE);
    }
  }

  /** Starts it, and stays until the process is told to stop. */
  public static void stay(Start start) throws Exception {
    Lifetime lifetime = Lifetime.ofProcess();
    try {
      start.in(lifetime);
      lifetime.await();
    } catch (CannotStart cannot) {
      lifetime.exitWith(cannot.exitCode());
      throw cannot;
    } catch (Exception | Error defect) {
      lifetime.exitWith(CannotStart.UNABLE);
      throw defect;
    }
  }

  /** The version of these classes, from the manifest of their jar. */
  static String version() {
    return Optional.ofNullable(Program.class.getPackage().getImplementationVersion())
        .orElse("unbuilt");
  }

  /** The settings of this process. */
  static Settings settings(Arguments arguments) {
    return settings(arguments, Map.of());
  }

  /** The same with other defaults. */
  public static Settings settings(Arguments arguments, Map<Setting, String> fallbacks) {
    return Settings.read(given(arguments, fallbacks));
  }

  /** What they are read from; reports variables that are none. */
  static Given given(Arguments arguments, Map<Setting, String> fallbacks) {
    Map<String, String> variables = System.getenv();
    Settings.unknown(variables).forEach(warning -> System.err.println("ebb: " + warning));
    return Given.of(variables, arguments.config(), fallbacks);
  }
}
