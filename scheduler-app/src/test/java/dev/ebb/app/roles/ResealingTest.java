package dev.ebb.app.roles;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.http.SecretHeaders;
import dev.ebb.core.signing.ExportKey;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.signing.SigningScheme;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.export.ExportKeys;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A change of the key of secrets, by the command. */
class ResealingTest {
  private static final String OLD = key(1);
  private static final String NEW = key(2);
  private static final int DESTINATIONS = 250;

  private final DatabaseConfig database = TestPostgres.shared().newDatabase();

  private static String key(int content) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) content);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private record Told(int exitCode, String text) {}

  private Told reseal(String keys) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Settings settings =
        Settings.read(Map.of()).withDatabase(database, false).withSecrets(SecretBox.parse(keys));
    int exitCode = Resealing.run(settings, new PrintStream(bytes, true, UTF_8));
    return new Told(exitCode, bytes.toString(UTF_8));
  }

  private static byte[] secret(String name) {
    return ("the secret of " + name + ", of some bytes").getBytes(UTF_8);
  }

  private static SigningKey key(String name, String id, SecretBox box) {
    String sealed =
        box.seal(secret(name), new byte[SecretBox.NONCE_BYTES], SigningKey.context(name, id));
    return new SigningKey(id, SigningScheme.V1, sealed, null, Instant.EPOCH, null);
  }

  private static String name(int number) {
    return "d" + (100 + number);
  }

  private static void create(Queues queues) throws SQLException {
    SecretBox box = SecretBox.parse(OLD);
    Destination plain =
        new Destination(
            URI.create("https://acme.example/"),
            null,
            Map.of(),
            ResponseRules.DEFAULT,
            null,
            Map.of());
    for (int i = 0; i < DESTINATIONS; i++) {
      String name = name(i);
      QueueSettings settings = QueueSettings.of(false, null).to(plain);
      var _ = queues.putDestination(name, settings, Bench.ACT, _ -> {});
      SigningKey key = key(name, "key_1", box);
      var _ = queues.changeKeys(name, _ -> List.of(key), Bench.ACT);
    }
  }

  private static byte[] opened(Queues queues, String name, String keys) throws SQLException {
    Destination destination =
        Objects.requireNonNull(queues.find(name).orElseThrow().settings().destination());
    SigningKey key = destination.signing().getFirst();
    return SecretBox.parse(keys).open(key.sealed(), key.context(name)).orElseThrow();
  }

  @Test
  void every_secret_is_sealed_by_the_new_key_alone_and_a_repeat_does_nothing() throws Exception {
    try (Database opened = Database.open(database)) {
      Queues queues = new Queues(opened);
      create(queues);

      Told first = reseal(NEW + "," + OLD);
      Told again = reseal(NEW + "," + OLD);

      assertThat(first.exitCode()).isZero();
      assertThat(first.text())
          .contains("of 250 destinations, 250 were sealed anew and 0 had been already.")
          .contains("Nothing is sealed by another key.");
      assertThat(again.text()).contains("0 were sealed anew and 250 had been already.");
      for (int i = 0; i < DESTINATIONS; i++) {
        assertThat(opened(queues, name(i), NEW)).isEqualTo(secret(name(i)));
      }
    }
  }

  private static Destination withHeaders(Map<String, String> headers) {
    return new Destination(
        URI.create("https://acme.example/"), null, headers, ResponseRules.DEFAULT, null, Map.of());
  }

  private static Map<String, String> headers(Queues queues, String name) throws SQLException {
    Destination stored =
        Objects.requireNonNull(queues.find(name).orElseThrow().settings().destination());
    return SecretHeaders.open(name, stored, SecretBox.parse(NEW)).headers();
  }

  @Test
  void secret_headers_are_sealed_anew_and_for_the_first_time() throws Exception {
    try (Database opened = Database.open(database)) {
      Queues queues = new Queues(opened);
      Map<String, String> headers = Map.of("Authorization", "Bearer 7", "X-Shop", "7");
      Destination clear = withHeaders(headers);
      SecretBox old = SecretBox.parse(OLD);
      Destination sealed =
          SecretHeaders.seal("sealed", clear, Map.of(), old, () -> new byte[SecretBox.NONCE_BYTES]);
      var _ =
          queues.putDestination(
              "clear", QueueSettings.of(false, null).to(clear), Bench.ACT, _ -> {});
      var _ =
          queues.putDestination(
              "sealed", QueueSettings.of(false, null).to(sealed), Bench.ACT, _ -> {});

      Told first = reseal(NEW + "," + OLD);
      Told again = reseal(NEW + "," + OLD);

      assertThat(first.text()).contains("of 2 destinations, 2 were sealed anew");
      assertThat(again.text()).contains("0 were sealed anew and 2 had been already.");
      for (String name : List.of("clear", "sealed")) {
        assertThat(headers(queues, name)).isEqualTo(headers);
        assertThat(queues.find(name).orElseThrow().settings().destination())
            .satisfies(one -> assertThat(one.headers()).containsOnlyKeys("X-Shop"));
      }
    }
  }

  private static void export(Database opened, String id, String by) throws SQLException {
    String sealed =
        SecretBox.parse(by)
            .seal(secret(id), new byte[SecretBox.NONCE_BYTES], ExportKey.context(id));
    var _ =
        new ExportKeys(opened)
            .rotate(new ExportKey(id, "public", sealed, Instant.EPOCH, null), Bench.ACT);
  }

  @Test
  void the_key_that_signs_exports_is_sealed_anew() throws Exception {
    try (Database opened = Database.open(database)) {
      export(opened, "one", OLD);

      Told first = reseal(NEW + "," + OLD);
      Told again = reseal(NEW);

      assertThat(first.text())
          .contains("The key that signs exports was sealed anew.", "Nothing is sealed by another");
      assertThat(again.text()).contains("The key that signs exports was sealed by it already.");
      assertThat(again.exitCode()).isZero();
      String sealed =
          Objects.requireNonNull(new ExportKeys(opened).signing().orElseThrow().sealed());
      assertThat(SecretBox.parse(NEW).open(sealed, ExportKey.context("one")))
          .hasValue(secret("one"));

      export(opened, "two", key(3));
      Told lost = reseal(NEW + "," + OLD);
      assertThat(lost.exitCode()).isOne();
      assertThat(lost.text())
          .contains("No key here opens the one that signs exports")
          .doesNotContain("Nothing is sealed");
    }
  }

  @Test
  void what_no_key_opens_stays_as_it_is_and_is_named() throws Exception {
    try (Database opened = Database.open(database)) {
      Queues queues = new Queues(opened);
      create(queues);
      SigningKey lost = key("d107", "key_1", SecretBox.parse(key(3)));
      var _ = queues.changeKeys("d107", _ -> List.of(lost), Bench.ACT);

      Told told = reseal(NEW + "," + OLD);

      assertThat(told.exitCode()).isOne();
      assertThat(told.text())
          .contains("249 were sealed anew", "No key here opens secrets of: d107.");
      assertThat(opened(queues, "d107", key(3))).isEqualTo(secret("d107"));
    }
  }

  @Test
  void keys_that_are_rotated_meanwhile_are_not_lost() throws Exception {
    try (Database opened = Database.open(database)) {
      Queues queues = new Queues(opened);
      create(queues);
      Thread rotating =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < DESTINATIONS; i++) {
                  SigningKey added = key(name(i), "key_2", SecretBox.parse(OLD));
                  rotate(queues, name(i), added);
                }
              });

      Told _ = reseal(NEW + "," + OLD);
      rotating.join();
      Told last = reseal(NEW + "," + OLD);

      assertThat(last.text()).contains("Nothing is sealed by another key.");
      for (int i = 0; i < DESTINATIONS; i++) {
        assertThat(keys(queues, name(i))).isEqualTo(2);
        assertThat(opened(queues, name(i), NEW)).isEqualTo(secret(name(i)));
      }
    }
  }

  private static void rotate(Queues queues, String name, SigningKey added) {
    try {
      var _ = queues.changeKeys(name, keys -> List.of(added, keys.getFirst()), Bench.ACT);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static int keys(Queues queues, String name) throws SQLException {
    return Objects.requireNonNull(queues.find(name).orElseThrow().settings().destination())
        .signing()
        .size();
  }

  @Test
  void without_a_key_it_says_what_it_needs() {
    Settings settings = Settings.read(Map.of()).withDatabase(database, false);

    assertThatThrownBy(() -> Resealing.run(settings, System.out))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("EBB_SECRETS_KEY");
  }
}
