package dev.ebb.demo;

import dev.ebb.app.Logging;
import dev.ebb.app.Program;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Setting;
import dev.ebb.app.settings.Settings;
import java.util.Map;

/** The demo's executable. */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    Program.run(() -> run(args));
  }

  private static void run(String... arguments) throws Exception {
    if (arguments.length > 0) {
      throw CannotStart.wrongUse(
          "demo takes no arguments: settings are environment variables. See ./ebb help.");
    }
    // Nobody balances requests to the demo: who ends it need not wait.
    Settings settings = Program.settings(Map.of(Setting.SHUTDOWN_DELAY, "0s"));
    Logging.toFile(Demo.log(settings), settings);
    Program.stay(lifetime -> System.out.print(Demo.start(settings, lifetime)));
  }
}
