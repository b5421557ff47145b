package dev.ebb.api;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.db.Sabotage;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.CuttingProxy;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The API in a JVM of its own, with 256 MiB of heap, that ends where no more can be had. */
final class ApiProcess implements AutoCloseable {
  /** What the server says once a transaction has ended. */
  private static final String ENDED = "Z\0\0\0\005I";

  private static final Pattern PORTS = Pattern.compile("ports (\\d+) (\\d+)");

  private static final String BY_CHANCE = "by-chance";
  private static final String AT_JOB = "at-job";

  private static volatile boolean started;

  private final Process process;
  private final int port;
  private final int healthPort;

  private ApiProcess(Process process, MatchResult ports) {
    this.process = process;
    this.port = Integer.parseInt(ports.group(1));
    this.healthPort = Integer.parseInt(ports.group(2));
  }

  static ApiProcess start(DatabaseConfig config) throws IOException {
    return start(config.url());
  }

  /**
   * One that may end, once it has started, at any moment at which a transaction has ended, and the
   * process has not been told so.
   *
   * @param chance that it does at such a moment, one in so many
   */
  static ApiProcess mortal(DatabaseConfig config, int chance) throws IOException {
    return start(config.url(), BY_CHANCE, Integer.toString(chance));
  }

  /**
   * One that ends at the first such moment at which so many jobs are committed: before it knows of
   * the last of them, and so before it can have told anybody.
   */
  static ApiProcess endingAtJob(DatabaseConfig config, int jobs) throws IOException {
    return start(config.url(), AT_JOB, Integer.toString(jobs));
  }

  private static ApiProcess start(String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(Sabotage.java(ApiProcess.class, arguments))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:+ExitOnOutOfMemoryError");
    Process process = builder.start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    MatchResult ports =
        out.lines()
            .map(PORTS::matcher)
            .filter(Matcher::matches)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("the API did not start"));
    Thread.ofVirtual().start(() -> out.lines().forEach(_ -> {}));
    return new ApiProcess(process, ports);
  }

  /** Arguments: the database's URL, and, if it is mortal, when it ends. Ends with its input. */
  public static void main(String[] args) throws IOException {
    DatabaseConfig direct = DatabaseConfig.of(args[0], "postgres", "postgres");
    Database database = Database.open(args.length == 1 ? direct : throughDeath(direct, args));
    ApiConfig config =
        ApiConfig.of("127.0.0.1", 0).withHealthPort(0).withAccess(AccessConfig.openToAll());
    EbbApi api = EbbApi.start(config, database);
    System.out.println("ports " + api.port() + " " + api.healthPort());
    // From now on it may end: who started it knows where it is.
    started = true;
    System.in.readAllBytes();
    Runtime.getRuntime().halt(0);
  }

  private static DatabaseConfig throughDeath(DatabaseConfig direct, String[] args)
      throws IOException {
    int number = Integer.parseInt(args[2]);
    BooleanSupplier isLast =
        args[1].equals(AT_JOB)
            ? () -> areThere(direct, number)
            : () -> ThreadLocalRandom.current().nextInt(number) == 0;
    int port = Integer.parseInt(direct.url().replaceFirst(".*:(\\d+)/.*", "$1"));
    return new CuttingProxy(port, ENDED, () -> mayDie(isLast)).through(direct);
  }

  private static boolean mayDie(BooleanSupplier isLast) {
    if (started && isLast.getAsBoolean()) {
      Runtime.getRuntime().halt(1);
    }
    return false;
  }

  private static boolean areThere(DatabaseConfig direct, int jobs) {
    try (Connection connection = TestPostgres.connect(direct);
        ResultSet count =
            connection.createStatement().executeQuery("select count(*) from ebb.job")) {
      return count.next() && count.getInt(1) >= jobs;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  int port() {
    return port;
  }

  int healthPort() {
    return healthPort;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
