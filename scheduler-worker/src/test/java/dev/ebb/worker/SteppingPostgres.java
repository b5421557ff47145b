package dev.ebb.worker;

import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.Migrations;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.MountableFile;

/** A PostgreSQL whose wall clock steps when it is told to, in a container. */
final class SteppingPostgres implements AutoCloseable {
  private static final String LIBRARY = "/opt/clock/libfaketime.so";

  /**
   * Not there until the first step; then it is replaced by renames: nobody must read half of it.
   */
  private static final String OFFSET = "/tmp/clock/offset";

  private static final String STEP =
      "mkdir -p /tmp/clock && echo %s > /tmp/clock/next && mv /tmp/clock/next " + OFFSET;

  private static final int PORT = 5432;

  private final GenericContainer<?> container;
  private final DatabaseConfig config;

  @SuppressWarnings("resource")
  SteppingPostgres() throws Exception {
    container =
        TestPostgres.container()
            .withEnv(WrongClock.environment(LIBRARY))
            .withEnv("FAKETIME_TIMESTAMP_FILE", OFFSET)
            .withEnv("FAKETIME_NO_CACHE", "1")
            .withCopyFileToContainer(MountableFile.forHostPath(WrongClock.library()), LIBRARY)
            .withExposedPorts(PORT);
    container.start();
    config =
        DatabaseConfig.of(
            "jdbc:postgresql://%s:%d/postgres"
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

  /** Sets its clock to the right time and so much, such as {@code -1h}. */
  void step(String offset) throws Exception {
    var done = container.execInContainer("sh", "-c", STEP.formatted(offset));
    if (done.getExitCode() != 0) {
      throw new IllegalStateException(done.getStderr());
    }
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
