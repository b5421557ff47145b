package dev.ebb.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.app.roles.Schema;
import dev.ebb.app.settings.SecretFile;
import dev.ebb.app.settings.Settings;
import dev.ebb.contract.DatabaseHealth.Slot;
import dev.ebb.contract.DatabaseHealth.Standby;
import dev.ebb.contract.DatabaseHealth.Transaction;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.NewToken;
import dev.ebb.core.access.Role;
import dev.ebb.core.health.Figure;
import dev.ebb.core.health.Figure.Server;
import dev.ebb.core.health.Figures;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.Migrations;
import dev.ebb.db.schema.ServerFacts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final DatabaseConfig CONFIG =
      DatabaseConfig.of("jdbc:postgresql://127.0.0.1/ebb", null, null);
  private static final ServerFacts HEALTHY =
      new ServerFacts(
          180_006,
          "UTF8",
          true,
          new ServerFacts.Timeouts(
              Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(1)),
          NOW);
  private static final Server SERVER = server(false, true, "on", 10);

  private static Server server(boolean standby, boolean fsync, String commit, int used) {
    return server(standby, fsync, commit, used, 0, 0);
  }

  private static Server server(
      boolean standby,
      boolean fsync,
      String commit,
      int used,
      int hiddenSessions,
      int hiddenStandbys) {
    return new Server(
        standby,
        fsync,
        true,
        commit,
        "",
        true,
        97,
        used,
        "ebb",
        1_000,
        200_000_000,
        1_600_000_000,
        false,
        null,
        null,
        "ebb",
        hiddenSessions,
        hiddenStandbys);
  }

  private static Figures health(Server server, List<Transaction> open, List<Slot> slots) {
    Standby copy =
        new Standby("copy", null, "streaming", "async", 0L, Duration.ZERO, 0L, Duration.ZERO, 0);
    return health(server, open, slots, List.of(copy));
  }

  private static Figures health(
      Server server, List<Transaction> open, List<Slot> slots, List<Standby> standbys) {
    return Figures.NONE
        .with(Figure.NOW, NOW)
        .with(Figure.SERVER, server)
        .with(Figure.TRANSACTIONS, open)
        .with(Figure.SLOTS, slots)
        .with(Figure.STANDBYS, standbys)
        .with(Figure.PRIMARY, new Figure.Primary(1, null, 0, null, null))
        .with(Figure.STRANGERS, Map.of());
  }

  @Test
  void nothing_is_found_on_a_healthy_server() {
    assertThat(complaints(HEALTHY)).isEmpty();
    assertThat(complaints(health(SERVER, List.of(), List.of()))).isEmpty();
  }

  @Test
  void every_fact_that_is_wrong_is_told_with_its_remedy() {
    ServerFacts ill =
        new ServerFacts(
            140_002,
            "SQL_ASCII",
            false,
            new ServerFacts.Timeouts(Duration.ZERO, Duration.ZERO, Duration.ZERO),
            NOW.plusSeconds(7));

    assertThat(complaints(ill))
        .containsExactly(
            "fail  PostgreSQL 14.2: Ebb needs PostgreSQL 15 or newer",
            "fail  encoding is SQL_ASCII: " + Schema.NEW_DATABASE,
            "warn  no timeouts are in force on pooled connections: for a role that only Ebb uses, run"
                + " alter role ... set ... with each of statement_timeout = 5000,"
                + " idle_in_transaction_session_timeout = 2000, transaction_timeout = 15000 and"
                + " tcp_user_timeout = 2500",
            "warn  clocks are 7000 ms apart: synchronise them by NTP: the database's clock decides,"
                + " logs show this machine's");
  }

  @Test
  void an_older_server_is_not_blamed_for_a_timeout_that_it_does_not_know() {
    ServerFacts old =
        new ServerFacts(
            150_013,
            "UTF8",
            true,
            new ServerFacts.Timeouts(Duration.ZERO, null, Duration.ZERO),
            NOW);

    assertThat(complaints(old))
        .singleElement()
        .asString()
        .contains("idle_in_transaction_session_timeout = 2000 and tcp_user_timeout = 2500");
  }

  /** The words of these are the page's. */
  @Test
  void what_is_wrong_with_the_servers_health_is_told_with_its_remedy() {
    Transaction old =
        new Transaction(
            7, null, "eve", "report", null, "active", false, Duration.ofMinutes(59), 12);
    List<Slot> idle =
        List.of(
            new Slot("one", "physical", false, "reserved", 0, 10L),
            new Slot("two", "physical", false, "reserved", 0, 10L));

    assertThat(complaints(health(server(true, false, "off", 94), List.of(old), idle)))
        .containsExactly(
            "warn  The oldest transaction is 59 min old: session 7 of role eve (report), active:"
                + " While it lasts, dead rows of all tables stay, and claims read through them."
                + " Have its owner end it, or end its session: the transaction is rolled back, and"
                + " its client gets an error. select pg_terminate_backend(7);",
            "warn  2 replication slots have no reader: one, two; 10 B of log wait for it: Bring back"
                + " the reader before the disk is full, or drop the slot: its reader must then be set"
                + " up anew. select pg_drop_replication_slot('one');"
                + " select pg_drop_replication_slot('two');",
            "fail  The server is a standby: Let EBB_DB_URL name the primary.",
            "fail  fsync is off: a crash loses everything: Set fsync = on in postgresql.conf, and"
                + " reload.",
            "fail  synchronous_commit is off: Do not switch it off in the proxy or role:"
                + " acknowledged jobs could be lost. alter role ebb reset synchronous_commit;",
            "warn  94 of 97 connections are taken: See who has them. Lower EBB_DB_POOL, put a"
                + " pooling proxy in between, or raise max_connections, which takes a restart."
                + " select usename, application_name, state, count(*) from pg_stat_activity group by"
                + " 1, 2, 3 order by 4 desc;",
            "warn  the server takes 3 more connections, this node may need 17: raise"
                + " max_connections, lower EBB_DB_POOL, or use a pooling proxy");
  }

  @Test
  void what_cannot_be_seen_is_not_said_to_be_well() {
    Server server = server(false, true, "on", 10, 2, 1);
    Figures blind = health(server, List.of(), List.of(), List.of());

    assertThat(complaints(blind))
        .hasSize(3)
        .allSatisfy(
            line -> assertThat(line).startsWith("?     ").endsWith(" grant pg_monitor to ebb;"));
  }

  @Test
  void a_pooling_proxy_is_recognised_by_its_refusal() {
    SQLException refusal = new SQLException("FATAL: unsupported startup parameter: options");

    assertThat(Doctor.unreachable(CONFIG, refusal).line()).contains("set EBB_DB_POOLER=true");
  }

  @Test
  void an_old_java_and_an_open_address_are_told() {
    assertThat(Doctor.java(24).line()).isEqualTo("fail  Java 24: run on a JDK 25");
    assertThat(Doctor.address("0.0.0.0", true).line())
        .startsWith("fail  0.0.0.0 can be reached by others")
        .contains("EBB_AUTH=on");
    assertThat(Doctor.address("0.0.0.0", false).line()).isEqualTo("ok    0.0.0.0 asks for tokens");
    assertThat(Doctor.address("127.0.0.1", false).level()).isEqualTo(Finding.Level.OK);
    assertThat(Doctor.address("127.0.0.1", true).level()).isEqualTo(Finding.Level.OK);
  }

  @Test
  void a_password_file_that_others_may_read_is_told(@TempDir Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path path = Files.writeString(folder.resolve("password"), "hush");
    SecretFile file = new SecretFile(path);

    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(Doctor.secret(file).line())
        .isEqualTo("warn  other users can read " + path + ": chmod 600 " + path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    assertThat(Doctor.secret(file).line()).isEqualTo("ok    other users cannot read " + path);
  }

  @Test
  void the_keys_of_secrets_are_told_by_their_ids() throws Exception {
    byte[] key = new byte[32];
    byte[] old = "an old key of secrets, 32 bytes.".getBytes(StandardCharsets.US_ASCII);
    Base64.Encoder base64 = Base64.getEncoder();
    String both = base64.encodeToString(key) + "," + base64.encodeToString(old);
    Settings settings = Settings.read(Map.of("EBB_SECRETS_KEY", both));

    String told = examine(settings, TestPostgres.durable().newDatabase()).text();

    // As docs/operating.md has people do it: the first eight digits of sha256sum.
    assertThat(told)
        .contains(
            "ok    secrets are encrypted by the key %s, and opened by %s as well"
                .formatted(sha256sum(key), sha256sum(old)))
        .doesNotContain(base64.encodeToString(key), base64.encodeToString(old));
    assertThat(Doctor.keys(List.of()).line()).isEqualTo("ok    no EBB_SECRETS_KEY is set");
  }

  private static String sha256sum(byte[] key) throws GeneralSecurityException {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(key);
    return HexFormat.of().formatHex(hash).substring(0, 8);
  }

  @Test
  void a_real_migrated_server_passes_and_an_empty_one_fails() {
    Run healthy = examine(TestPostgres.durable().newDatabase());
    assertThat(healthy.exitCode()).isZero();
    assertThat(healthy.text())
        .contains("ok    PostgreSQL 18.", "ok    schema is current", "ok    timeouts are in force")
        .contains(
            "ok    No jobs are due", "?     No standby is connected", "ok    No schedule is late")
        .contains("warn  there is no live token: the API serves nobody: run ./ebb token create")
        .doesNotContain("fail");

    Run empty = examine(TestPostgres.durable().newBareDatabase());
    assertThat(empty.exitCode()).isEqualTo(1);
    assertThat(empty.text()).contains("fail  schema is missing: run ./ebb migrate");
  }

  @Test
  void an_api_that_has_a_token_or_needs_none_lacks_none() throws SQLException {
    DatabaseConfig config = TestPostgres.durable().newDatabase();
    Settings open = Settings.read(Map.of("EBB_AUTH", "off"));
    Settings admin = Settings.read(Map.of("EBB_ADMIN_TOKEN", "x".repeat(32)));
    assertThat(examine(open, config).text()).doesNotContain("live token");
    assertThat(examine(admin, config).text()).doesNotContain("live token");

    try (Database database = TestPostgres.open(config)) {
      NewToken token = new NewToken("ada", Role.ADMIN.scopes(), null);
      assertThat(new Tokens(database).create(token, Act.onMachine("test"))).isPresent();
    }

    assertThat(examine(config).text()).contains("ok    there are live tokens");
  }

  @Test
  void an_unreachable_database_is_told_without_a_stack_trace() {
    String url = "jdbc:postgresql://127.0.0.1:1,localhost:1/ebb?sslpassword=hunter2";

    Run run = examine(DatabaseConfig.of(url, null, null));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text())
        .contains("fail  database at 127.0.0.1:1,localhost:1/ebb cannot be used")
        .doesNotContain("\tat ", "hunter2");
  }

  @Test
  void a_schema_of_another_version_is_told_with_both_versions() {
    int needed = Migrations.NEEDED;

    assertThat(Doctor.schema(needed - 1).line())
        .isEqualTo(
            "fail  schema is at version %s, this program needs %s: run ./ebb migrate"
                .formatted(needed - 1, needed));
    assertThat(Doctor.schema(needed + 1).line())
        .isEqualTo(
            "warn  schema is at version %s, newer than the %s of this program: upgrade this program"
                .formatted(needed + 1, needed));
  }

  private record Run(int exitCode, String text) {}

  private static Run examine(DatabaseConfig database) {
    return examine(Settings.read(Map.of()), database);
  }

  private static Run examine(Settings read, DatabaseConfig database) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Settings settings = read.withDatabase(database, false);
    int exitCode = Doctor.examine(settings, new PrintStream(out, true, StandardCharsets.UTF_8));
    return new Run(exitCode, out.toString(StandardCharsets.UTF_8));
  }

  private static List<String> complaints(ServerFacts facts) {
    return complaints(Doctor.server(facts, CONFIG, NOW));
  }

  private static List<String> complaints(Figures health) {
    return complaints(Doctor.health(health, CONFIG));
  }

  private static List<String> complaints(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.level() != Finding.Level.OK)
        .map(Finding::line)
        .toList();
  }
}
