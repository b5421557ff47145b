package dev.ebb.demo;

import dev.ebb.app.Logging;
import dev.ebb.app.Program;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;

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
    Settings settings = Program.settings();
    Logging.toFile(Demo.log(settings), settings);
    Program.stay(lifetime -> System.out.print(Demo.start(settings, lifetime)));
  }
}
