package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the commands say of a database that was restored. */
class RestoringTest {
  private final DatabaseConfig database = TestPostgres.shared().newDatabase();

  private Settings settings(DatabaseConfig database) {
    return Settings.read(Map.of()).withDatabase(database, false);
  }

  @Test
  void a_restored_database_is_confirmed_paused_and_told_in_a_few_lines() {
    String told = Restoring.restored(settings(database));

    assertThat(told.lines())
        .hasSize(8)
        .anyMatch(line -> line.matches("The database at .* is confirmed: timeline 1 of .*"))
        .contains(
            "The start is paused: no node runs anything in it before ./ebb resume.",
            "  jobs due    0, those under leases among them",
            "  sequences   none was behind its table");
    assertThat(Restoring.resume(settings(database))).startsWith("Resumed");
  }

  @Test
  void a_url_of_two_servers_is_refused_and_nothing_is_paused() {
    String two = database.url().replaceFirst("127.0.0.1", "localhost:1,127.0.0.1");

    assertThatThrownBy(() -> Restoring.restored(settings(database.withUrl(two))))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("EBB_DB_URL must name one server");
    assertThat(Restoring.resume(settings(database))).contains("nothing to resume");
  }
}
