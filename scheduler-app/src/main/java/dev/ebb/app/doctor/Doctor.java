package dev.ebb.app.doctor;

import static dev.ebb.app.doctor.Finding.fail;
import static dev.ebb.app.doctor.Finding.ok;
import static dev.ebb.app.doctor.Finding.warn;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.app.roles.Schema;
import dev.ebb.app.roles.TemporaryFolder;
import dev.ebb.app.settings.SecretFile;
import dev.ebb.app.settings.Settings;
import dev.ebb.core.health.Checkup;
import dev.ebb.core.health.Figure;
import dev.ebb.core.health.Figures;
import dev.ebb.core.health.Limit;
import dev.ebb.core.health.Verdict;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.health.DatabaseHealth;
import dev.ebb.db.schema.Migrations;
import dev.ebb.db.schema.ServerFacts;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Checks what Ebb needs, and says for each thing whether it is right and how to fix it. */
public final class Doctor {
  private static final int JAVA = 25;

  private Doctor() {}

  /** Prints what it finds, and answers the exit code: 1 where something fails. */
  public static int examine(Settings settings, PrintStream out) {
    List<Finding> findings = new ArrayList<>();
    findings.add(java(Runtime.version().feature()));
    findings.add(temporaryFolder(TemporaryFolder.isWritable()));
    findings.add(address(settings.httpHost(), settings.access().open()));
    settings.secretFiles().forEach(file -> findings.add(secret(file)));
    findings.add(keys(settings.secrets().ids()));
    try (Database database = Database.open(settings.database())) {
      Instant before = Clock.systemUTC().instant();
      ServerFacts facts = ServerFacts.read(database);
      findings.addAll(server(facts, settings.database(), before));
      DatabaseHealth health = new DatabaseHealth(database);
      findings.addAll(health(health.server(), settings.database()));
      int installed = Migrations.installed(database);
      findings.add(schema(installed));
      if (installed == Migrations.NEEDED) {
        findings.addAll(told(Checkup.of(health.schema())));
        if (needsToken(settings.access())) {
          findings.add(tokens(new Tokens(database).live().size()));
        }
      }
    } catch (SQLException unreachable) {
      findings.add(unreachable(settings.database(), unreachable));
    }
    findings.forEach(finding -> out.println(finding.line()));
    boolean failed = findings.stream().anyMatch(f -> f.level() == Finding.Level.FAIL);
    return failed ? 1 : 0;
  }

  static Finding java(int version) {
    return fail("Java " + version, "run on a JDK " + JAVA)
        .unless(version >= JAVA, "Java " + version);
  }

  static Finding temporaryFolder(boolean writable) {
    return fail(TemporaryFolder.path() + " cannot be written to", TemporaryFolder.MEND)
        .unless(writable, "temporary files go to " + TemporaryFolder.path());
  }

  static Finding address(String host, boolean open) {
    try {
      boolean loopback = InetAddress.getByName(host).isLoopbackAddress();
      return fail(
              host + " can be reached by others, with EBB_AUTH=off: server and api will not start",
              "set EBB_AUTH=on, or EBB_HTTP_HOST=127.0.0.1")
          .unless(
              loopback || !open, host + (open ? " is open to this machine" : " asks for tokens"));
    } catch (UnknownHostException unknown) {
      return fail(host + " is not an address", "set EBB_HTTP_HOST to one of this machine");
    }
  }

  private static boolean needsToken(AccessConfig access) {
    return !access.open() && access.adminToken() == null;
  }

  static Finding tokens(int live) {
    return warn(
            "there is no live token: the API serves nobody",
            "run ./ebb token create NAME admin, or set EBB_ADMIN_TOKEN")
        .unless(live > 0, "there are live tokens");
  }

  static Finding secret(SecretFile file) {
    return warn("other users can read " + file.path(), "chmod 600 " + file.path())
        .unless(!file.isOpen(), "other users cannot read " + file.path());
  }

  /** By which ids pages, logs and the audit know the keys of secrets that this node has. */
  static Finding keys(List<String> ids) {
    if (ids.isEmpty()) {
      return ok("no EBB_SECRETS_KEY is set");
    }
    String others = String.join(", ", ids.subList(1, ids.size()));
    return ok(
        "secrets are encrypted by the key "
            + ids.getFirst()
            + (others.isEmpty() ? "" : ", and opened by " + others + " as well"));
  }

  static Finding unreachable(DatabaseConfig config, Throwable failure) {
    String why = Schema.why(failure);
    return fail(
        "database at " + config.address() + " cannot be used (" + why + ")", Schema.mend(failure));
  }

  static Finding schema(int installed) {
    if (installed > Migrations.NEEDED) {
      return warn(
          "schema is at version %s, newer than the %s of this program"
              .formatted(installed, Migrations.NEEDED),
          "upgrade this program");
    }
    String version =
        installed == 0
            ? "schema is missing"
            : "schema is at version %s, this program needs %s"
                .formatted(installed, Migrations.NEEDED);
    return fail(version, "run ./ebb migrate")
        .unless(installed == Migrations.NEEDED, "schema is current");
  }

  static List<Finding> server(ServerFacts facts, DatabaseConfig config, Instant clock) {
    Duration apart = Duration.between(clock, facts.clock()).abs();
    String version = "PostgreSQL " + facts.version() / 10_000 + "." + facts.version() % 10_000;
    return List.of(
        fail(version, "Ebb needs PostgreSQL " + Migrations.OLDEST_SERVER + " or newer")
            .unless(facts.version() >= Migrations.OLDEST_SERVER * 10_000, version),
        fail("encoding is " + facts.encoding(), Schema.NEW_DATABASE)
            .unless(facts.encoding().equals("UTF8"), "encoding is UTF8"),
        ok(
            facts.canCreate()
                ? "user may migrate"
                : "user may not migrate, and need not: the schema's owner runs ./ebb migrate"),
        timeouts(facts, config),
        warn(
                "clocks are " + apart.toMillis() + " ms apart",
                "synchronise them by NTP: the database's clock decides, logs show this machine's")
            .unless(Limit.CLOCK.of(apart) == Verdict.OK, "clocks agree"));
  }

  /** What is known of the server's health, and whether it has room for this node. */
  static List<Finding> health(Figures figures, DatabaseConfig config) {
    List<Finding> findings = new ArrayList<>(told(Checkup.of(figures)));
    Figure.Server server = figures.orNull(Figure.SERVER);
    if (server != null) {
      findings.add(connections(server.connectionsLeft(), config));
    }
    return findings;
  }

  private static List<Finding> told(List<dev.ebb.core.health.Finding> found) {
    return found.stream().map(Finding::of).toList();
  }

  private static Finding timeouts(ServerFacts facts, DatabaseConfig config) {
    long millis = config.statementTimeout().toMillis();
    String transaction =
        facts.timeouts().transaction() == null
            ? ""
            : ", transaction_timeout = %s".formatted(3 * millis);
    return warn(
            "no timeouts are in force on pooled connections",
            ("for a role that only Ebb uses, run alter role ... set ... with each of"
                    + " statement_timeout = %s, idle_in_transaction_session_timeout = %s%s"
                    + " and tcp_user_timeout = %s")
                .formatted(
                    millis,
                    DatabaseConfig.IDLE_IN_TRANSACTION.toMillis(),
                    transaction,
                    config.tcpTimeout().toMillis()))
        .unless(facts.timeouts().areSet(), "timeouts are in force");
  }

  private static Finding connections(int left, DatabaseConfig config) {
    // A pool each for the API and the worker, of which the doctor's own connection is in use now; a
    // listener and a notifier come on top.
    int wanted = 2 * config.poolSize() + 1;
    return warn(
            "the server takes " + left + " more connections, this node may need " + wanted,
            "raise max_connections, lower EBB_DB_POOL, or use a pooling proxy")
        .unless(left >= wanted, "server takes " + left + " more connections");
  }
}
