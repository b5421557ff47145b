package dev.ebb.app;

import dev.ebb.app.settings.Setting;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code ./ebb help} prints: the commands and the settings. */
final class Help {
  private Help() {}

  static String text() {
    return """
    Ebb, a distributed job scheduler on PostgreSQL.

    ./ebb COMMAND

    %s

    Settings are environment variables:

    %s
    """
        .formatted(commands(), settings());
  }

  private static String commands() {
    return Stream.of(Command.values())
        .map(command -> "  %-10s %s".formatted(command.word(), command.summary()))
        .collect(Collectors.joining("\n"));
  }

  private static String settings() {
    return Stream.of(Setting.values())
        .map(setting ->
            "  %-22s %s%s".formatted(setting.variable(), setting.meaning(), fallback(setting)))
        .collect(Collectors.joining("\n"));
  }

  private static String fallback(Setting setting) {
    return setting.fallback().isEmpty() ? "" : " [" + setting.fallback() + "]";
  }
}
