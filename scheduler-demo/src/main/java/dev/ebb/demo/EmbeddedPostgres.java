package dev.ebb.demo;

import com.sun.security.auth.module.UnixSystem;
import dev.ebb.app.settings.CannotStart;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of the demo's own, driven by its own programs. It is started by {@code
 * pg_ctl}, which takes it out of the terminal's process group: a Ctrl-C ends the demo, and the demo
 * ends the server after the last job is settled.
 */
final class EmbeddedPostgres implements AutoCloseable {
  private static final String USER = "postgres";
  private static final String START_SECONDS = "120";
  private static final long PROGRAM_SECONDS = 180;

  private final Path programs;
  private final Path data;
  private final Path output;
  private final int port;

  private EmbeddedPostgres(Path programs, Path folder, int port) {
    this.programs = programs;
    this.data = folder.resolve("data");
    this.output = folder.resolve("postgresql.log");
    this.port = port;
  }

  /** Starts the server on the folder's data, or on an empty database where there are none. */
  static EmbeddedPostgres start(Path folder) {
    try {
      Path programs = Binaries.unpackedIn(folder).resolve("bin");
      EmbeddedPostgres postgres = new EmbeddedPostgres(programs, folder, freePort());
      postgres.initialise();
      postgres.stopIfRunning();
      postgres.start();
      return postgres;
    } catch (IOException | RuntimeException failed) {
      throw cannotStart(folder, String.valueOf(failed.getMessage()));
    }
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  String user() {
    return USER;
  }

  int port() {
    return port;
  }

  /** Stops the server: sessions are ended, and everything is on disk. */
  @Override
  public void close() throws IOException {
    run("pg_ctl", "-D", data.toString(), "-m", "fast", "-w", "-t", "60", "stop");
  }

  /** A data folder appears only whole: a kill in the middle leaves none. */
  private void initialise() throws IOException {
    if (Files.exists(data)) {
      return;
    }
    Path unfinished = data.resolveSibling("data.unfinished");
    Folders.delete(unfinished);
    run(
        "initdb",
        "-A",
        "trust",
        "-U",
        USER,
        "-D",
        unfinished.toString(),
        "-E",
        "UTF8",
        "--locale=C");
    Files.move(unfinished, data);
  }

  /** A demo that was killed leaves its server behind; nobody but this process may hold it now. */
  private void stopIfRunning() throws IOException {
    if (Files.exists(data.resolve("postmaster.pid"))
        && exitCode("pg_ctl", "-D", data.toString(), "status") == 0) {
      run("pg_ctl", "-D", data.toString(), "-m", "fast", "-w", "-t", "60", "stop");
    }
  }

  private void start() throws IOException {
    String options =
        "-p "
            + port
            + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
            + " -c fsync=on -c synchronous_commit=on -c timezone=UTC";
    run(
        "pg_ctl",
        "-D",
        data.toString(),
        "-l",
        output.toString(),
        "-o",
        options,
        "-w",
        "-t",
        START_SECONDS,
        "start");
  }

  private void run(String program, String... arguments) throws IOException {
    if (exitCode(program, arguments) != 0) {
      throw new IOException(complaint(program));
    }
  }

  private int exitCode(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(asSomebodyElseThanRoot());
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .start();
    try {
      if (!process.waitFor(PROGRAM_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(program + " did not end within " + PROGRAM_SECONDS + " s");
      }
      return process.exitValue();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException(program + " was interrupted", stopped);
    }
  }

  /** The last line in which the program speaks of itself. */
  private String complaint(String program) throws IOException {
    try (Stream<String> lines = Files.lines(output)) {
      return lines
          .filter(line -> line.startsWith(program + ": "))
          .reduce((_, last) -> last)
          .orElse(program + " failed");
    }
  }

  /** PostgreSQL refuses to run as root, so root gives itself another name in a user namespace. */
  private static List<String> asSomebodyElseThanRoot() {
    return isRoot() ? List.of("unshare", "--user") : List.of();
  }

  private static boolean isRoot() {
    return new UnixSystem().getUid() == 0;
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0)) {
      return any.getLocalPort();
    }
  }

  private static CannotStart cannotStart(Path folder, String why) {
    String mend =
        isRoot()
            ? "as root it needs user namespaces (unshare --user) and a user with the number 65534,"
                + " so run the demo as another user"
            : "see " + folder.resolve("postgresql.log");
    return CannotStart.unable(
        "The embedded PostgreSQL did not start (%s): %s, or set EBB_DB_URL and run ./ebb server."
            .formatted(why, mend));
  }
}
