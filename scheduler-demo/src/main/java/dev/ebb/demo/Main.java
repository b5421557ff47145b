package dev.ebb.demo;

import dev.ebb.app.Arguments;
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
    Arguments given = Arguments.of(arguments);
    if (!given.words().isEmpty()) {
      throw CannotStart.wrongUse("demo" + Arguments.NO_OTHERS);
    }
    // Nobody balances requests to the demo: who ends it need not wait.
    Settings settings = Program.settings(given, Map.of(Setting.SHUTDOWN_DELAY, "0s"));
    Logging.toFile(Demo.log(settings), settings);
    Program.stay(lifetime -> System.out.print(Demo.start(settings, lifetime)));
  }
}
