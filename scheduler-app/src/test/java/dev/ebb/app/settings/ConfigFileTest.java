package dev.ebb.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.app.settings.Given.Origin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file of settings beside the environment. */
class ConfigFileTest {
  @TempDir private Path folder;

  private String write(String text) throws IOException {
    return Files.writeString(folder.resolve("ebb.properties"), text).toString();
  }

  private Given given(Map<String, String> environment, String text) throws IOException {
    return Given.of(environment, write(text), Map.of());
  }

  private static CannotStart refused(Map<String, String> environment, @Nullable String named) {
    return catchThrowableOfType(CannotStart.class, () -> Given.of(environment, named, Map.of()));
  }

  @Test
  void the_environment_wins_over_the_file_and_the_file_over_the_default() throws IOException {
    Map<String, String> environment = Map.of("EBB_HTTP_PORT", "8081", "EBB_CONCURRENCY", " ");
    Given given =
        given(
            environment, "# of the shop\nEBB_HTTP_PORT=8082\nEBB_CONCURRENCY = 7\nEBB_LEASE:20s\n");
    Settings settings = Settings.read(given);

    assertThat(settings.httpPort()).isEqualTo(8081);
    assertThat(settings.concurrency()).isEqualTo(7);
    assertThat(settings.lease()).hasSeconds(20);
    assertThat(settings.merchantPort()).isEqualTo(8090);
    assertThat(given.origin(Setting.HTTP_PORT)).isEqualTo(Origin.ENVIRONMENT);
    assertThat(given.origin(Setting.CONCURRENCY)).isEqualTo(Origin.FILE);
    assertThat(given.origin(Setting.MERCHANT_PORT)).isEqualTo(Origin.DEFAULT);
  }

  @Test
  void a_programs_own_default_gives_way_to_the_file() throws IOException {
    Map<Setting, String> own = Map.of(Setting.SHUTDOWN_DELAY, "0s", Setting.DRAIN, "1s");
    Given given = Given.of(Map.of(), write("EBB_SHUTDOWN_DELAY=3s"), own);

    assertThat(Settings.read(given).shutdownDelay()).hasSeconds(3);
    assertThat(Settings.read(given).drain()).hasSeconds(1);
  }

  @ParameterizedTest
  @CsvSource({"EBB_DB_PASSWORD, EBB_DB_PASSWORD_FILE", "EBB_DB_PASSWORD_FILE, EBB_DB_PASSWORD"})
  void a_secret_of_the_environment_stands_for_both_of_the_files(String first, String second)
      throws Exception {
    String secret = Files.writeString(folder.resolve("secret"), "hush").toString();
    Given given = given(Map.of(first, secret), second + "=" + secret);

    assertThat(Settings.read(given).database().currentPassword())
        .isEqualTo(first.endsWith("_FILE") ? "hush" : secret);
  }

  @Test
  void names_that_are_no_settings_are_refused_together_with_those_that_were_meant()
      throws IOException {
    String path = write("EBB_HTTP_PROT=1\nPATH=/bin\nEBB_LEASE=5s\nEBB_CONFIG=x\nEBB_LEASE=6s\n");

    CannotStart refused = refused(Map.of(), path);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.sentence().lines())
        .containsExactlyInAnyOrder(
            path + ": EBB_LEASE is given twice.",
            path + ": EBB_CONFIG belongs in the environment.",
            path + ": EBB_HTTP_PROT is not a setting. Did you mean EBB_HTTP_PORT?",
            path + ": PATH is not a setting.");
  }

  @Test
  void a_file_that_cannot_be_read_is_refused_with_what_named_it() throws IOException {
    String none = folder.resolve("none").toString();
    assertThat(refused(Map.of("EBB_CONFIG", none), null).sentence())
        .isEqualTo(
            "EBB_CONFIG must name a file of UTF-8 text that can be read, and %s cannot", none);
    assertThat(refused(Map.of("EBB_CONFIG", none), folder.toString()).sentence())
        .startsWith("--config must name a file of UTF-8 text");

    Path latin = folder.resolve("latin");
    Files.write(latin, "EBB_QUEUES=gr\u00fc".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(refused(Map.of(), latin.toString()).sentence()).contains("UTF-8");
    assertThat(refused(Map.of(), write("EBB_QUEUES=\\u12")).sentence()).contains("backslash");
  }

  @Test
  void a_file_with_a_secret_is_watched_for_other_readers_and_one_without_is_not()
      throws IOException {
    String path = write("EBB_ADMIN_TOKEN=" + "x".repeat(40));
    Given with = Given.of(Map.of(), path, Map.of());
    assertThat(Settings.read(with).secretFiles()).containsExactly(new SecretFile(Path.of(path)));

    assertThat(Settings.read(given(Map.of(), "EBB_LEASE=5s\nEBB_ADMIN_TOKEN=\n")).secretFiles())
        .isEmpty();
  }

  @Test
  void a_refusal_does_not_repeat_a_value() throws IOException {
    String path = write("EBB_DB_PASWORD=hush-hush\nEBB_ADMIN_TOKEN=hush-hush\n");

    assertThat(refused(Map.of(), path).sentence())
        .contains("Did you mean EBB_DB_PASSWORD?")
        .doesNotContain("hush-hush");
  }
}
