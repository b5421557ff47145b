package dev.ebb.api;

import dev.ebb.db.Database;
import dev.ebb.db.DatabaseConfig;
import dev.ebb.db.Hints;
import dev.ebb.db.Sabotage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** The API in a JVM of its own, with 256 MiB of heap, that ends where no more can be had. */
final class ApiProcess implements AutoCloseable {
  private final Process process;
  private final int port;

  private ApiProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static ApiProcess start(DatabaseConfig config) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(Sabotage.java(ApiProcess.class, config.url()))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:+ExitOnOutOfMemoryError");
    Process process = builder.start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    while (line != null && !line.matches("port \\d+")) {
      line = out.readLine();
    }
    if (line == null) {
      throw new IllegalStateException("the API did not start");
    }
    Thread.ofVirtual().start(() -> out.lines().forEach(_ -> {}));
    return new ApiProcess(process, Integer.parseInt(line.substring("port ".length())));
  }

  /** Argument: the database's URL. Ends with its standard input. */
  public static void main(String[] args) throws IOException {
    Database database = Database.open(DatabaseConfig.of(args[0], "postgres", "postgres"));
    EbbApi api = EbbApi.start(ApiConfig.of("127.0.0.1", 0), database, new Hints(database));
    System.out.println("port " + api.port());
    System.in.readAllBytes();
    Runtime.getRuntime().halt(0);
  }

  int port() {
    return port;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
