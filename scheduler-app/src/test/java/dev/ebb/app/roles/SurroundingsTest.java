package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.app.Ebb;
import dev.ebb.app.doctor.Doctor;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.Migrations;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a machine or a server may lack: a start names it, and what to do, in one sentence. */
class SurroundingsTest {
  private final TestPostgres postgres = TestPostgres.shared();

  @Test
  void a_zone_that_the_server_does_not_know_is_kept_from_it() throws Exception {
    Run run = run(postgres.newBareDatabase(), "migrate", "-Duser.timezone=IST");

    assertThat(run.text).contains("Migrations applied");
    assertThat(run.exitCode).isZero();
  }

  @Test
  void a_folder_for_temporary_files_that_is_not_there_ends_the_start_in_one_sentence()
      throws Exception {
    Run run = run(postgres.newDatabase(), "server", "-Djava.io.tmpdir=/nowhere");

    assertThat(run.text)
        .contains("ebb: The folder for temporary files, /nowhere, cannot be written to", "emptyDir")
        .doesNotContain("\tat ");
    assertThat(run.exitCode).isEqualTo(1);
    assertThat(run(postgres.newDatabase(), "doctor", "-Djava.io.tmpdir=/nowhere").text)
        .contains("fail  /nowhere cannot be written to: mount one that can");
  }

  @Test
  void a_folder_for_temporary_files_is_tried(@TempDir Path folder) {
    assertThat(TemporaryFolder.isWritable(folder)).isTrue();
    assertThat(TemporaryFolder.isWritable(folder.resolve("missing"))).isFalse();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void a_database_that_cannot_hold_every_text_is_neither_migrated_nor_served() {
    for (String encoding : new String[] {"LATIN1", "SQL_ASCII"}) {
      String name = "encoded_" + encoding.toLowerCase(Locale.ROOT);
      postgres.execute(
          "create database " + name + " encoding '" + encoding + "' locale 'C' template template0");
      DatabaseConfig database = postgres.config(name);
      Settings settings = settings(database, Map.of("EBB_MIGRATE", "true", "EBB_AUTH", "off"));

      for (CannotStart refused :
          new CannotStart[] {
            catchThrowableOfType(CannotStart.class, () -> Schema.migrate(database)),
            catchThrowableOfType(
                CannotStart.class, () -> Node.startServer(settings, new Lifetime()))
          }) {
        assertThat(refused.sentence())
            .contains(encoding, "create database ebb encoding 'UTF8'")
            .hasLineCount(1);
        assertThat(refused.exitCode()).isEqualTo(1);
      }
      assertThatThrownBy(() -> Migrations.migrate(database))
          .hasMessageContaining("is " + encoding + ", and Ebb needs UTF8");
      assertThat(examined(settings))
          .contains("fail  encoding is " + encoding + ": create one by create database")
          .contains("fail  schema is missing");
    }
  }

  private static String examined(Settings settings) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Doctor.examine(settings, new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  private static Settings settings(DatabaseConfig database, Map<String, String> variables) {
    Settings settings = Settings.read(variables);
    return settings.withDatabase(database, settings.migrate());
  }

  private record Run(int exitCode, String text) {}

  /** The program in a JVM of its own. */
  private static Run run(DatabaseConfig database, String command, String option) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            option,
            Ebb.class.getName(),
            command);
    builder.environment().put("EBB_DB_URL", database.url());
    builder.environment().put("EBB_DB_USER", String.valueOf(database.user()));
    builder.environment().put("EBB_DB_PASSWORD", String.valueOf(database.password()));
    builder.environment().put("EBB_HTTP_PORT", Integer.toString(TestPostgres.freePort()));
    Process process = builder.redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), text);
  }
}
