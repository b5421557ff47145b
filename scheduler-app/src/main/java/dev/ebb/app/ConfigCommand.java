package dev.ebb.app;

import dev.ebb.app.settings.Given;
import dev.ebb.app.settings.Setting;
import java.io.PrintStream;

/** {@code ./ebb config}: every setting with its value, and where that comes from. */
final class ConfigCommand {
  private static final String MASK = "***";

  private ConfigCommand() {}

  /** Prints a line for each. */
  static void print(Given given, PrintStream out) {
    if (given.file() != null) {
      out.println("file: " + given.file().path());
    }
    for (Setting setting : Setting.values()) {
      out.println(
          "%-24s %-11s %s"
              .formatted(setting.variable(), given.origin(setting).word(), shown(setting, given))
              .stripTrailing());
    }
  }

  private static String shown(Setting setting, Given given) {
    String value = given.value(setting);
    // One that is refused may have a password in it.
    boolean hides =
        setting.isSecret() || (setting == Setting.DB_URL && value.matches("(?i).*(@|password=).*"));
    return hides && !value.isEmpty() ? MASK : value;
  }
}
