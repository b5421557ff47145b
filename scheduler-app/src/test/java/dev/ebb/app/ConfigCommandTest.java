package dev.ebb.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Given;
import dev.ebb.app.settings.Setting;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./ebb config}, and {@code --config FILE}. */
class ConfigCommandTest {
  private static List<String> lines(Given given) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ConfigCommand.print(given, new PrintStream(bytes, true, UTF_8));
    return bytes.toString(UTF_8).lines().toList();
  }

  @Test
  void each_setting_is_shown_with_where_it_comes_from_and_no_secret(@TempDir Path folder)
      throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("ebb.properties"), "EBB_LEASE=20s\nEBB_SECRETS_KEY=hush-hush\n");
    Map<String, String> environment =
        Map.of(
            "EBB_DB_PASSWORD", "hush-hush",
            "EBB_DELIVERY_PROXY", "http://bob:hush-hush@proxy:3128",
            "EBB_DB_URL", "jdbc:postgresql://bob:hush-hush@db/ebb",
            "EBB_HTTP_PORT", "8081");
    List<String> lines = lines(Given.of(environment, file.toString(), Map.of()));

    assertThat(lines)
        .hasSize(1 + Setting.values().length)
        .contains(
            "file: " + file,
            "EBB_HTTP_PORT            environment 8081",
            "EBB_LEASE                file        20s",
            "EBB_SECRETS_KEY          file        ***",
            "EBB_DB_PASSWORD          environment ***",
            "EBB_DB_URL               environment ***",
            "EBB_ADMIN_TOKEN          default",
            "EBB_CONCURRENCY          default     500")
        .noneMatch(line -> line.contains("hush"));
  }

  @Test
  void the_file_is_named_before_or_behind_the_command() {
    assertThat(Arguments.of("worker", "--config", "a"))
        .isEqualTo(Arguments.of("--config=a", "worker"))
        .isEqualTo(new Arguments(List.of("worker"), "a"));
    assertThat(Arguments.of("token", "list").config()).isNull();
    assertThat(Arguments.of("token", "create", "--config", "a", "ada").rest())
        .containsExactly("create", "ada");
  }

  @Test
  void a_file_that_is_named_twice_or_not_at_all_is_refused() {
    for (String[] wrong : new String[][] {{"worker", "--config"}, {"--config=a", "--config=b"}}) {
      assertThatThrownBy(() -> Arguments.of(wrong))
          .isInstanceOf(CannotStart.class)
          .hasMessageContaining("--config FILE must be given once");
    }
  }
}
