package dev.ebb.demo;

import dev.ebb.app.settings.CannotStart;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A PostgreSQL server of the demo's own, driven by its own programs. It is started by {@code
 * pg_ctl}, which takes it out of the terminal's process group: a Ctrl-C ends the demo, and the demo
 * ends the server after the last job is settled.
 *
 * <p>Other users of the machine reach its port. They need the password of Ebb's role, which owns
 * the schema {@code ebb} and nothing else; as the superuser nobody can connect at all. Both are
 * made so at every start, so that a folder of whatever age comes out the same.
 */
final class EmbeddedPostgres implements AutoCloseable {
  private static final String DATABASE = "postgres";
  private static final String SUPERUSER = "postgres";
  private static final String ROLE = "ebb";
  private static final String START_SECONDS = "120";
  private static final String WHO_MAY_CONNECT =
      """
      # Written by the demo at every start.
      host all all 127.0.0.1/32 scram-sha-256
      """;

  private final Programs programs;
  private final Path folder;
  private final Path data;
  private final String password;
  private final int port;

  private EmbeddedPostgres(Programs programs, Path folder, String password, int port) {
    this.programs = programs;
    this.folder = folder;
    this.data = folder.resolve("data");
    this.password = password;
    this.port = port;
  }

  /** Starts the server on the folder's data, or on an empty database where there are none. */
  static EmbeddedPostgres start(Path folder) {
    try {
      EmbeddedPostgres postgres =
          new EmbeddedPostgres(programs(folder), folder, Password.in(folder), freePort());
      postgres.initialise();
      postgres.stopIfRunning();
      postgres.closeDoors();
      postgres.start();
      return postgres;
    } catch (IOException | RuntimeException failed) {
      throw cannotStart(folder, String.valueOf(failed.getMessage()));
    }
  }

  static Programs programs(Path folder) throws IOException {
    return new Programs(
        Binaries.unpackedIn(folder).resolve("bin"), folder.resolve("postgresql.log"));
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE;
  }

  String user() {
    return ROLE;
  }

  String password() {
    return password;
  }

  /** What a person types to look into the database. */
  String psql() {
    return "PGPASSWORD=$(cat '%s') psql -h 127.0.0.1 -p %s -U %s %s"
        .formatted(Password.file(folder), port, ROLE, DATABASE);
  }

  /** Stops the server: sessions are ended, and everything is on disk. */
  @Override
  public void close() throws IOException {
    programs.run("pg_ctl", "-D", data.toString(), "-m", "fast", "-w", "-t", "60", "stop");
  }

  /** A data folder appears only whole: a kill in the middle leaves none. */
  private void initialise() throws IOException {
    if (Files.exists(data)) {
      return;
    }
    Path unfinished = folder.resolve("data.unfinished");
    Folders.delete(unfinished);
    programs.run(
        "initdb",
        "--auth=scram-sha-256",
        "--pwfile=" + Password.file(folder),
        "--username=" + SUPERUSER,
        "--encoding=UTF8",
        "--locale=C",
        "--pgdata=" + unfinished);
    Files.move(unfinished, data);
  }

  /** A demo that was killed leaves its server behind; nobody but this process may hold it now. */
  private void stopIfRunning() throws IOException {
    if (Files.exists(data.resolve("postmaster.pid"))
        && programs.succeeds("pg_ctl", "-D", data.toString(), "status")) {
      close();
    }
  }

  private void closeDoors() throws IOException {
    Files.writeString(data.resolve("pg_hba.conf"), WHO_MAY_CONNECT);
    programs.feed(
        roles().replace("PASSWORD", password),
        "postgres",
        "--single",
        "-j",
        "-c",
        "exit_on_error=on",
        "-D",
        data.toString(),
        DATABASE);
  }

  private static String roles() throws IOException {
    try (InputStream sql = EmbeddedPostgres.class.getResourceAsStream("roles.sql")) {
      return new String(Objects.requireNonNull(sql).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void start() throws IOException {
    String options =
        "-p "
            + port
            + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
            + " -c fsync=on -c synchronous_commit=on -c timezone=UTC";
    programs.run(
        "pg_ctl",
        "-D",
        data.toString(),
        "-l",
        programs.output().toString(),
        "-o",
        options,
        "-w",
        "-t",
        START_SECONDS,
        "start");
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0)) {
      return any.getLocalPort();
    }
  }

  private static CannotStart cannotStart(Path folder, String why) {
    String mend =
        Programs.isRoot()
            ? "as root it needs user namespaces (unshare --user) and a user with the number 65534,"
                + " so run the demo as another user"
            : "see " + folder.resolve("postgresql.log");
    return CannotStart.unable(
        "The embedded PostgreSQL did not start (%s): %s, or set EBB_DB_URL and run ./ebb server."
            .formatted(why, mend));
  }
}
