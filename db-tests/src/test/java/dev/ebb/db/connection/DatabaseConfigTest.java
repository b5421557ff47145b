package dev.ebb.db.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.core.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseConfigTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          jdbc:postgresql://db.internal:5432/ebb | db.internal:5432/ebb
          jdbc:postgresql://a:5432,[::1]:5433/ebb?ssl=true&password=hunter2 | a:5432,[::1]:5433/ebb
          jdbc:postgresql:///ebb | ebb
          jdbc:postgresql:ebb?user=bob | ebb
          """)
  void people_are_told_hosts_ports_and_database_and_no_more(String url, String address) {
    DatabaseConfig config = DatabaseConfig.of(url, null, "hush");

    assertThat(config.address()).isEqualTo(address);
    assertThat(config.toString()).contains(address).doesNotContain("hunter2", "hush", "jdbc:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://bob:hunter2@db/ebb",
        "jdbc:postgresql://db:5432,bob:hunter2@db:5432/ebb",
        "jdbc:postgresql://bob:hun?ter2@db/ebb",
        "jdbc:postgresql:bob:hunter2@db/ebb"
      })
  void a_url_names_nobody_before_its_host(String url) {
    InvalidInput refused =
        catchThrowableOfType(InvalidInput.class, () -> DatabaseConfig.of(url, null, null));

    assertThat(refused).hasMessageContaining("url must have no @").hasMessageNotContaining("ter2");
  }

  @Test
  void what_follows_the_database_may_hold_an_at() {
    String url = "jdbc:postgresql://db/ebb?ApplicationName=ebb@home";

    assertThat(DatabaseConfig.of(url, null, null).url()).isEqualTo(url);
  }
}
