package dev.ebb.db;

import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;

/** What a stretch of work cost: time, the processor's time of both sides, and the log written. */
public final class Meter {
  private static final double NANOS_PER_TICK = 1e7;

  private final DatabaseConfig config;
  private final long wal;
  private final double server;
  private final long client;
  private final long start;

  private Meter(DatabaseConfig config) throws SQLException {
    this.config = config;
    this.wal = wal(config);
    this.server = serverNanos();
    this.client = clientNanos();
    this.start = System.nanoTime();
  }

  /**
   * What one job cost.
   *
   * @param perSecond jobs in a second
   * @param clientMicros of this process
   * @param serverMicros of every PostgreSQL on this machine; zero where {@code /proc} is missing
   */
  public record Cost(double perSecond, double clientMicros, double serverMicros, double walBytes) {
    /** The mean of each figure, of stretches of the same length. */
    public static Cost mean(List<Cost> costs) {
      return new Cost(
          costs.stream().mapToDouble(Cost::perSecond).average().orElse(0),
          costs.stream().mapToDouble(Cost::clientMicros).average().orElse(0),
          costs.stream().mapToDouble(Cost::serverMicros).average().orElse(0),
          costs.stream().mapToDouble(Cost::walBytes).average().orElse(0));
    }
  }

  public static Meter start(DatabaseConfig config) throws SQLException {
    return new Meter(config);
  }

  public Cost stop(int jobs) throws SQLException {
    double seconds = (System.nanoTime() - start) / 1e9;
    double clientUsed = clientNanos() - client;
    double serverUsed = serverNanos() - server;
    return new Cost(
        jobs / seconds,
        clientUsed / 1e3 / jobs,
        serverUsed / 1e3 / jobs,
        (double) (wal(config) - wal) / jobs);
  }

  private static long wal(DatabaseConfig config) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_current_wal_insert_lsn() - '0/0'")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static long clientNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static double serverNanos() {
    double ticks = 0;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      for (Path process : processes) {
        ticks += postgresTicks(process);
      }
    } catch (IOException e) {
      return 0;
    }
    return ticks * NANOS_PER_TICK;
  }

  /** Of the process and of its children that ended. */
  private static long postgresTicks(Path process) {
    try {
      String stat = Files.readString(process.resolve("stat"));
      int name = stat.lastIndexOf(')');
      if (!stat.substring(0, name).endsWith("(postgres")) {
        return 0;
      }
      String[] fields = stat.substring(name + 2).split(" ", -1);
      return Arrays.stream(fields, 11, 15).mapToLong(Long::parseLong).sum();
    } catch (IOException e) {
      return 0;
    }
  }
}
