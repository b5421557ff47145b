package dev.ebb.app;

import dev.ebb.app.merchant.Merchant;
import dev.ebb.app.roles.Lifetime;
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
      default -> start(command, settings(variables));
    }
  }

  private static void start(Command command, Settings settings) throws Exception {
    Logging.toConsole();
    Lifetime lifetime = Lifetime.ofProcess();
    if (command == Command.MERCHANT) {
      lifetime.add(Merchant.start(settings.merchantHost(), settings.merchantPort()));
    }
    lifetime.await();
  }

  private static Settings settings(Map<String, String> variables) {
    Settings.unknown(variables).forEach(warning -> System.err.println("ebb: " + warning));
    return Settings.read(variables);
  }

  private static String version() {
    return Optional.ofNullable(Ebb.class.getPackage().getImplementationVersion())
        .orElse("(unbuilt)");
  }
}
