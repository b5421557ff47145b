package dev.ebb.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.api.access.CardNumberRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

  @Test
  void every_setting_has_a_default_that_keeps_its_own_rule() {
    Settings settings = Settings.read(Map.of());

    assertThat(settings.database().url()).isEqualTo("jdbc:postgresql://127.0.0.1:5432/ebb");
    assertThat(settings.httpHost()).isEqualTo("127.0.0.1");
    assertThat(settings.httpPort()).isEqualTo(8080);
    assertThat(settings.healthPort()).isEmpty();
    assertThat(settings.httpNames()).isEmpty();
    assertThat(settings.merchantPort()).isEqualTo(8090);
    assertThat(settings.lease()).isEqualTo(Duration.ofSeconds(15));
    assertThat(settings.drain()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.shutdownDelay()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.keepAlive()).isEqualTo(Duration.ofSeconds(75));
    assertThat(settings.queues()).isEmpty();
    assertThat(settings.deliveryAllow()).isEmpty();
    assertThat(settings.deliveryTimeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.migrate()).isFalse();
    assertThat(settings.home()).isEqualTo(Path.of(System.getProperty("user.home"), ".ebb"));
  }

  @Test
  void a_blank_variable_is_the_default() {
    Map<String, String> blank = new HashMap<>();
    Stream.of(Setting.values()).forEach(setting -> blank.put(setting.variable(), " "));

    assertThat(Settings.read(blank)).isEqualTo(Settings.read(Map.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          EBB_DB_URL | postgres://h/db | must be jdbc:postgresql://
          EBB_DB_URL | jdbc:mysql://h/db | must be jdbc:postgresql://
          EBB_DB_URL | jdbc:postgresql://h/d?password=x | must not carry a password
          EBB_DB_URL | jdbc:postgresql://h:x/d | must be jdbc:postgresql://host:port/database
          EBB_DB_URL | jdbc:postgresql://u@h/d | must be jdbc:postgresql://host:port/database
          EBB_DB_POOL | 1 | must be a whole number from 2 to 200
          EBB_DB_POOL | 8.5 | must be a whole number from 2 to 200
          EBB_DB_POOLER | yes | must be true or false
          EBB_MIGRATE | 1 | must be true or false
          EBB_HTTP_PORT | 0 | must be a whole number from 1 to 65535
          EBB_HTTP_PORT | 65536 | must be a whole number from 1 to 65535
          EBB_HEALTH_PORT | 0 | must be a whole number from 1 to 65535
          EBB_HEALTH_PORT | 8080 | must differ from EBB_HTTP_PORT
          EBB_HTTP_PORT | 99999999999 | must be a whole number from 1 to 65535
          EBB_AUTH | no | must be on or off
          EBB_READ_ONLY | on | must be true or false
          EBB_ADMIN_TOKEN | short | must be 32 to 200 visible ASCII characters without spaces
          EBB_PAYLOAD_MASK | card | must be JSON Pointers such as /card/number, or /items/*/price
          EBB_CARD_NUMBERS | hide | must be one of allow, mask, refuse
          EBB_REQUESTS_PER_MINUTE | 0 | must be a whole number from 1 to 1000000
          EBB_CORS_ORIGINS | https://a.example/ | must be origins such as https://ops.example.com
          EBB_CORS_ORIGINS | * | must be origins such as https://ops.example.com
          EBB_HTTP_NAMES | api,jobs:80 | must be host names without a port, and "jobs:80" is none
          EBB_MERCHANT_PORT | 65535 | must be a whole number from 1 to 65534
          EBB_CONCURRENCY | -1 | must be a whole number from 1 to 100000
          EBB_QUEUES | a,B | has "B": each must be a lower-case letter
          EBB_LEASE | 0.5s | must be a duration such as 15s or 2m, from 1s to 1h
          EBB_DELIVERY_ALLOW | 10.0.0.0/99 | must list what deliveries may reach: '10.0.0.0/99'
          EBB_DELIVERY_TIMEOUT | 0.5s | must be a duration such as 15s or 2m, from 1s to 24h
          EBB_DELIVERY_TIMEOUT | P2D | must be a duration such as 15s or 2m, from 1s to 24h
          EBB_HISTORY_DAYS | 0 | must be a whole number from 1 to 90
          EBB_ATTEMPT_DAYS | 0 | must be a whole number from 1 to 90
          EBB_ATTEMPT_DAYS | 15 | must not exceed EBB_HISTORY_DAYS, which is 14
          EBB_LEASE | soon | must be a duration
          EBB_LEASE | 15 | must be a duration
          EBB_DRAIN | -1s | must be a duration
          EBB_DB_PASSWORD_FILE | /no/such/file | must name a file that can be read
          """)
  void a_wrong_setting_ends_with_its_name_and_its_rule(String name, String value, String rule) {
    CannotStart refused = refused(Map.of(name, value));

    assertThat(refused.sentence()).startsWith(name + " " + rule);
    assertThat(refused.sentence().lines()).hasSize(1);
    assertThat(refused.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void card_numbers_are_treated_as_set(CardNumberRule rule) {
    Map<String, String> set = Map.of("EBB_CARD_NUMBERS", rule.name().toLowerCase(Locale.ROOT));

    assertThat(Settings.read(set).access().cardNumbers()).isEqualTo(rule);
    assertThat(Settings.read(Map.of()).access().cardNumbers()).isEqualTo(CardNumberRule.ALLOW);
  }

  @Test
  void attempts_are_kept_as_long_as_jobs_unless_told_otherwise() {
    Map<String, String> month = Map.of("EBB_HISTORY_DAYS", "30");
    assertThat(Settings.read(month).attemptDays()).isEqualTo(30);

    Map<String, String> week = Map.of("EBB_HISTORY_DAYS", "30", "EBB_ATTEMPT_DAYS", "7");
    assertThat(Settings.read(week).attemptDays()).isEqualTo(7);
  }

  @Test
  void all_wrong_settings_are_told_together() {
    CannotStart refused =
        refused(Map.of("EBB_LEASE", "x", "EBB_HTTP_PORT", "x", "EBB_DB_POOL", "x"));

    assertThat(refused.sentence().lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("EBB_LEASE"))
        .anyMatch(line -> line.startsWith("EBB_HTTP_PORT"))
        .anyMatch(line -> line.startsWith("EBB_DB_POOL"));
  }

  @ParameterizedTest
  @CsvSource({"15s,PT15S", "2m,PT2M", "1h,PT1H", "PT20S,PT20S", "3.5s,PT3.5S", "1m30s,PT1M30S"})
  void a_duration_is_written_as_people_write_it_or_as_in_the_api(String text, Duration expected) {
    assertThat(Settings.read(Map.of("EBB_LEASE", text)).lease()).isEqualTo(expected);
  }

  @Test
  void the_password_can_stand_in_a_file_but_not_in_two_places(@TempDir Path folder)
      throws Exception {
    Path file = Files.writeString(folder.resolve("password"), "p w \n");
    Map<String, String> inFile = Map.of("EBB_DB_PASSWORD_FILE", file.toString());

    assertThat(Settings.read(inFile).database().currentPassword()).isEqualTo("p w ");

    Map<String, String> both = new HashMap<>(inFile);
    both.put("EBB_DB_PASSWORD", "x");
    assertThat(refused(both).sentence())
        .isEqualTo("EBB_DB_PASSWORD must not be given together with EBB_DB_PASSWORD_FILE");
  }

  @Test
  void a_refusal_does_not_repeat_a_password() {
    Map<String, String> variables =
        Map.of("EBB_DB_PASSWORD", "hush-hush", "EBB_LEASE", "x", "EBB_DB_POOL", "x");

    assertThat(refused(variables).sentence()).doesNotContain("hush-hush");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://bob:hunter2@db/ebb",
        "jdbc:postgresql://bob:hunter2@db:5432/ebb",
        "jdbc:postgresql://db:5432,bob:hunter2@db:5432/ebb",
        "jdbc:postgresql://bob:hunter2%40db/ebb",
        "jdbc:postgresql://db/ebb?sslpassword=hunter2"
      })
  void a_url_with_a_password_is_refused_without_being_repeated(String url) {
    CannotStart refused = refused(Map.of("EBB_DB_URL", url));

    assertThat(refused.sentence())
        .startsWith("EBB_DB_URL must")
        .contains("EBB_DB_PASSWORD or EBB_DB_PASSWORD_FILE")
        .doesNotContain("bob", "hunter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://db/ebb",
        "jdbc:postgresql://10.0.0.1:5432,db-2.internal:5433/ebb?ssl=true",
        "jdbc:postgresql://[::1]:5432/ebb?ApplicationName=ebb@home",
        "jdbc:postgresql://db:5432/ebb?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem"
      })
  void a_url_has_one_host_or_several(String url) {
    assertThat(Settings.read(Map.of("EBB_DB_URL", url)).database().url()).isEqualTo(url);
  }

  @Test
  void a_mistyped_variable_is_told_with_the_one_that_was_meant() {
    Map<String, String> variables =
        Map.of("EBB_HTTP_PROT", "1", "EBB_LEASE", "15s", "EBB_XYZ", "1", "PATH", "/bin");

    assertThat(Settings.unknown(variables))
        .containsExactly(
            "EBB_HTTP_PROT is not a setting. Did you mean EBB_HTTP_PORT?",
            "EBB_XYZ is not a setting.");
  }

  private static CannotStart refused(Map<String, String> variables) {
    return catchThrowableOfType(CannotStart.class, () -> Settings.read(variables));
  }
}
