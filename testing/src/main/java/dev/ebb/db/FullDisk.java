package dev.ebb.db;

import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.Migrations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;

/**
 * A real PostgreSQL 18 whose database lies on a small disk, which can be filled. The log lies on
 * another: a server whose log finds no room crashes. Needs an engine for containers.
 */
public final class FullDisk implements AutoCloseable {
  private static final String DISK = "/small";

  private final int port;
  private final GenericContainer<?> container;

  private FullDisk(int port, GenericContainer<?> container) {
    this.port = port;
    this.container = container;
  }

  /** A server with a migrated, empty database on the small disk, which has room. */
  @SuppressWarnings("resource")
  public static FullDisk start() {
    int port = TestPostgres.freePort();
    GenericContainer<?> container = TestPostgres.container().withTmpFs(Map.of(DISK, "rw,size=96m"));
    container.setPortBindings(List.of("127.0.0.1:" + port + ":5432"));
    container.start();
    FullDisk server = new FullDisk(port, container);
    TestPostgres.awaitReady(server.at("postgres"));
    server.run("mkdir " + DISK + "/tables && chown postgres " + DISK + "/tables");
    server.execute("create tablespace small location '" + DISK + "/tables'");
    server.execute("create database ebb tablespace small");
    Migrations.migrate(server.config());
    return server;
  }

  private void run(String script) {
    try {
      ExecResult result = container.execInContainer("sh", "-c", script);
      if (result.getExitCode() != 0) {
        throw new IllegalStateException(script + result.getStdout() + result.getStderr());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void execute(String sql) {
    try (Connection connection = TestPostgres.connect(at("postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Leaves no room. */
  public void fill() {
    run("cat /dev/zero >" + DISK + "/filling 2>/dev/null || true");
  }

  /** Takes that back. */
  public void makeRoom() {
    run("rm " + DISK + "/filling");
  }

  public DatabaseConfig config() {
    return at("ebb");
  }

  private DatabaseConfig at(String database) {
    return DatabaseConfig.of(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + database, "postgres", "postgres");
  }

  @Override
  public void close() {
    container.stop();
  }
}
