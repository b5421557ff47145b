package dev.ebb.api;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.db.Sabotage;
import dev.ebb.db.connection.CuttingProxy;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The API in a JVM of its own, with 256 MiB of heap, that ends where no more can be had. */
final class ApiProcess implements AutoCloseable {
  /** What the server says once a transaction is committed. */
  private static final String COMMITTED = "C\0\0\0\013COMMIT\0";

  private static final Pattern PORTS = Pattern.compile("ports (\\d+) (\\d+)");

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
   * One that may end at any moment at which a transaction is committed, and the process has not
   * been told so.
   *
   * @param chance that it does at a commit, one in so many
   */
  static ApiProcess mortal(DatabaseConfig config, int chance) throws IOException {
    return start(config.url(), Integer.toString(chance));
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

  /**
   * Arguments: the database's URL, and, if it is mortal, the chance. Ends with its standard input.
   */
  public static void main(String[] args) throws IOException {
    DatabaseConfig direct = DatabaseConfig.of(args[0], "postgres", "postgres");
    Database database =
        Database.open(args.length == 1 ? direct : throughDeath(direct, Integer.parseInt(args[1])));
    ApiConfig config =
        ApiConfig.of("127.0.0.1", 0).withHealthPort(0).withAccess(AccessConfig.openToAll());
    EbbApi api = EbbApi.start(config, database);
    System.out.println("ports " + api.port() + " " + api.healthPort());
    System.in.readAllBytes();
    Runtime.getRuntime().halt(0);
  }

  private static DatabaseConfig throughDeath(DatabaseConfig config, int chance) throws IOException {
    int port = Integer.parseInt(config.url().replaceFirst(".*:(\\d+)/.*", "$1"));
    return new CuttingProxy(port, COMMITTED, () -> mayDie(chance)).through(config);
  }

  private static boolean mayDie(int chance) {
    if (ThreadLocalRandom.current().nextInt(chance) == 0) {
      Runtime.getRuntime().halt(1);
    }
    return false;
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
