package dev.ebb.worker;

import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.Migrations;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ExecConfig;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.MountableFile;

/**
 * A PostgreSQL in a container, whose wall clock steps once, when it is told to.
 *
 * <p>It never runs behind the right time: before a step back it runs ahead. libfaketime gives a
 * signal handler the right time while its process waits for a message, and PostgreSQL asks for the
 * time in the handler of its timeouts. Behind the right time, a timeout of hours would end at once.
 */
final class SteppingPostgres implements AutoCloseable {
  private static final String LIBRARY = "/opt/clock/libfaketime.so";

  private static final String OFFSET = "/opt/clock/offset";

  /** A rename, for nobody must read half of it. */
  private static final String STEP = "echo %s > /opt/clock/next && mv /opt/clock/next " + OFFSET;

  private static final int PORT = 5432;

  private final Duration step;
  private final GenericContainer<?> container;
  private final DatabaseConfig config;

  /** A server that will step so far, back if it is negative. */
  @SuppressWarnings("resource")
  SteppingPostgres(Duration step) throws Exception {
    this.step = step;
    container =
        TestPostgres.container()
            .withEnv(WrongClock.environment(LIBRARY))
            .withEnv("FAKETIME_TIMESTAMP_FILE", OFFSET)
            .withEnv("FAKETIME_NO_CACHE", "1")
            .withCopyFileToContainer(MountableFile.forHostPath(WrongClock.library()), LIBRARY)
            .withCopyToContainer(Transferable.of(offset(step.negated())), OFFSET)
            .withExposedPorts(PORT);
    container.start();
    config =
        DatabaseConfig.of(
            "jdbc:postgresql://%s:%s/postgres"
                .formatted(container.getHost(), container.getMappedPort(PORT)),
            "postgres",
            "postgres");
    TestPostgres.awaitReady(config);
    Migrations.migrate(config);
  }

  static boolean isAvailable() throws IOException {
    return WrongClock.isAvailable() && DockerClientFactory.instance().isDockerAvailable();
  }

  DatabaseConfig config() {
    return config;
  }

  void step() throws Exception {
    String[] command = {"sh", "-c", STEP.formatted(offset(step))};
    var done =
        container.execInContainer(ExecConfig.builder().user("root").command(command).build());
    if (done.getExitCode() != 0) {
      throw new IllegalStateException(done.getStderr());
    }
  }

  /** How far a clock runs ahead of the right one, if it steps so far or comes back from it. */
  private static String offset(Duration step) {
    return "+" + Math.max(0, step.toSeconds());
  }

  Instant clock() throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select clock_timestamp()")) {
      row.next();
      return row.getObject(1, OffsetDateTime.class).toInstant();
    }
  }

  @Override
  public void close() {
    container.stop();
  }
}
