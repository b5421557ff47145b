package dev.ebb.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.app.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HelpTest {
  private static final Path FILE = Path.of("src/main/resources/dev/ebb/app", Help.FILE);

  @Test
  void the_file_that_launcher_and_program_print_names_every_command_and_setting()
      throws IOException {
    if (Boolean.getBoolean("ebb.help.write")) {
      Files.writeString(FILE, expected());
    }
    assertThat(Files.readString(FILE))
        .as("write it anew with -Debb.help.write=true")
        .isEqualTo(expected());
  }

  private static String expected() {
    return """
    Ebb, a distributed job scheduler on PostgreSQL.

    ./ebb COMMAND

    %s

    Settings are environment variables, or lines of a file (EBB_CONFIG); variables win:

    %s
    """
        .formatted(commands(), settings());
  }

  private static String commands() {
    return Stream.of(Command.values())
        .map(command -> "  %-12s %s".formatted(command.word(), command.summary()))
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
