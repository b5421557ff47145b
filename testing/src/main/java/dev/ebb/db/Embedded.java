package dev.ebb.db;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server from embedded binaries. */
final class Embedded implements TestPostgres.Server {
  /**
   * As a container's, but for the superuser, as whom the binaries look whether they have started.
   */
  private static final String LOGINS =
      """
      local all all trust
      host all postgres all trust
      host all all all scram-sha-256
      """;

  private final int port;
  private final PostgresVersion version;
  private final boolean durable;
  private final Path data;
  private @Nullable EmbeddedPostgres postgres;

  Embedded(int port, PostgresVersion version, boolean durable) {
    this.port = port;
    this.version = version;
    this.durable = durable;
    try {
      this.data = Files.createTempDirectory("ebb-test-postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void start() {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setPort(port)
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setPGStartupWait(Duration.ofMinutes(1));
    if (version.binaries() != null) {
      builder.setPgBinaryResolver(version.binaries());
    }
    for (String setting : TestPostgres.settings(durable)) {
      String[] pair = setting.split("=", 2);
      if (version.knows(setting)) {
        builder.setServerConfig(pair[0], pair[1]);
      }
    }
    try {
      EmbeddedPostgres started = builder.start();
      postgres = started;
      Files.writeString(data.resolve("pg_hba.conf"), LOGINS);
      try (Connection connection = started.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("select pg_reload_conf()");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A quit is an immediate shutdown: nothing more is written. */
  @Override
  public void stop() {
    try {
      String pid = Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip();
      new ProcessBuilder("kill", "-QUIT", pid).start().waitFor();
      ProcessHandle.of(Long.parseLong(pid)).ifPresent(Embedded::awaitExit);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    end();
  }

  @Override
  public void demote() {
    try {
      Files.createFile(data.resolve("standby.signal"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitExit(ProcessHandle server) {
    server.onExit().orTimeout(30, TimeUnit.SECONDS).join();
  }

  /** Nobody waits until its files are deleted: those of hundreds of databases take long. */
  @Override
  public void close() {
    end();
    try {
      var _ = new ProcessBuilder("rm", "-rf", data.toString()).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void end() {
    EmbeddedPostgres running = postgres;
    postgres = null;
    if (running != null) {
      try {
        running.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
