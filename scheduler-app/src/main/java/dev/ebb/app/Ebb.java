package dev.ebb.app;

import dev.ebb.app.demo.Demo;
import dev.ebb.app.doctor.Doctor;
import dev.ebb.app.merchant.Merchant;
import dev.ebb.app.roles.Lifetime;
import dev.ebb.app.roles.Node;
import dev.ebb.app.roles.Schema;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import java.util.Map;
import java.util.Optional;

/** The one executable: does what its first argument says. */
public final class Ebb {
  private Ebb() {}

  public static void main(String[] args) throws Exception {
    try {
      run(Command.of(args), System.getenv());
    } catch (CannotStart cannot) {
      cannot.sentence().lines().forEach(line -> System.err.println("ebb: " + line));
      System.exit(cannot.exitCode());
    }
  }

  private static void run(Command command, Map<String, String> variables) throws Exception {
    switch (command) {
      case HELP -> System.out.print(Help.text());
      case VERSION -> System.out.println("ebb " + version());
      case DOCTOR -> System.exit(doctor(variables));
      case MIGRATE -> migrate(variables);
      case DEMO, SERVER, API, WORKER, MERCHANT -> stay(command, settings(variables));
    }
  }

  /** Starts what the command says and stays until the process is told to stop. */
  private static void stay(Command command, Settings settings) throws Exception {
    if (command == Command.DEMO) {
      Logging.toFile(Demo.log(settings));
    } else {
      Logging.toConsole();
    }
    Lifetime lifetime = Lifetime.ofProcess();
    try {
      start(command, settings, lifetime);
      lifetime.await();
    } catch (CannotStart cannot) {
      lifetime.exitWith(cannot.exitCode());
      throw cannot;
    } catch (Exception defect) {
      lifetime.exitWith(CannotStart.UNABLE);
      throw defect;
    }
  }

  private static void start(Command command, Settings settings, Lifetime lifetime)
      throws Exception {
    switch (command) {
      case DEMO -> System.out.print(Demo.start(settings, lifetime));
      case SERVER -> Node.startServer(settings, lifetime);
      case API -> Node.startApi(settings, lifetime);
      case WORKER -> Node.startWorker(settings, lifetime);
      case MERCHANT ->
          lifetime.add(Merchant.start(settings.merchantHost(), settings.merchantPort()));
      case HELP, VERSION, DOCTOR, MIGRATE -> throw new AssertionError(command);
    }
  }

  private static void migrate(Map<String, String> variables) {
    Logging.toConsole();
    int applied = Schema.migrate(settings(variables).database());
    System.out.println(
        applied == 0 ? "The schema was up to date." : "Migrations applied: " + applied + ".");
  }

  private static int doctor(Map<String, String> variables) {
    Logging.off();
    return Doctor.examine(settings(variables), System.out);
  }

  private static Settings settings(Map<String, String> variables) {
    Settings.unknown(variables).forEach(warning -> System.err.println("ebb: " + warning));
    return Settings.read(variables);
  }

  private static String version() {
    return Optional.ofNullable(Ebb.class.getPackage().getImplementationVersion()).orElse("unbuilt");
  }
}
