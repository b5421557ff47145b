package dev.ebb.bench.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.machine.Target;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * graphile-worker, which listens on one connection and claims a job on each notification. Its
 * worker is a process of Node.js, which tells by a pipe when a job starts: that adds about a tenth
 * of a millisecond to its latency. Submits are its SQL function.
 */
final class GraphileContender implements Contender {
  private static final String ADD =
      """
      select graphile_worker.add_job('bench', ?::json)
      """;

  private static final String ADD_MANY =
      """
      select graphile_worker.add_job(
        'bench', p::json, run_at => now() + ? * interval '1 microsecond')
      from unnest(?::text[]) p
      """;

  /** A job's row is deleted when it succeeds. */
  private static final String UNFINISHED = "select count(*) from graphile_worker._private_jobs";

  private static final int BULK = 1_000;
  private static final List<String> FILES =
      List.of("package.json", "package-lock.json", "worker.js");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Target target;
  private @Nullable HikariDataSource pool;
  private @Nullable Process node;

  GraphileContender(Target target) {
    this.target = target;
  }

  /** Whether this machine has what it needs. */
  static boolean isPossible() {
    try {
      return new ProcessBuilder("npm", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Path folder() {
    return Path.of(System.getProperty("ebb.home", "."), "bench", "target", "graphile");
  }

  @Override
  public void install() throws IOException, InterruptedException {
    Files.createDirectories(folder());
    for (String file : FILES) {
      try (InputStream in = GraphileContender.class.getResourceAsStream("graphile/" + file)) {
        Files.copy(
            Objects.requireNonNull(in, file),
            folder().resolve(file),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (!Files.exists(folder().resolve("node_modules"))) {
      await(process("npm", "ci", "--no-audit", "--no-fund", "--silent"));
    }
    await(process("node", "worker.js", "migrate"));
  }

  private static void await(ProcessBuilder builder) throws IOException, InterruptedException {
    Process process = builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("failed: " + String.join(" ", builder.command()));
    }
  }

  private ProcessBuilder process(String... command) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder().toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("DATABASE_URL", url(target));
    return builder;
  }

  private static String url(Target target) {
    URI jdbc = URI.create(target.url().substring("jdbc:".length()));
    return "postgres://%s:%s@%s%s"
        .formatted(
            URLEncoder.encode(target.user(), StandardCharsets.UTF_8),
            URLEncoder.encode(target.password(), StandardCharsets.UTF_8),
            jdbc.getAuthority(),
            jdbc.getPath());
  }

  @Override
  public void open() {
    pool = PeerPool.open(target, "graphile-worker");
  }

  @Override
  public void fill(int from, int to, Duration dueIn) throws SQLException {
    for (int start = from; start < to; start += BULK) {
      List<String> payloads = new ArrayList<>();
      for (int i = start; i < Math.min(to, start + BULK); i++) {
        payloads.add(Payload.of(i));
      }
      try (Connection connection = pool().getConnection();
          PreparedStatement statement = connection.prepareStatement(ADD_MANY)) {
        statement.setLong(1, dueIn.toNanos() / 1000);
        statement.setArray(2, connection.createArrayOf("text", payloads.toArray()));
        statement.execute();
      }
    }
  }

  @Override
  public void submit(int number) throws SQLException {
    try (Connection connection = pool().getConnection();
        PreparedStatement statement = connection.prepareStatement(ADD)) {
      statement.setString(1, Payload.of(number));
      statement.execute();
    }
  }

  @Override
  public void start(Work work, int concurrency) throws IOException {
    Process started = process("node", "worker.js", "run", Integer.toString(concurrency)).start();
    node = started;
    BufferedReader lines = started.inputReader(StandardCharsets.UTF_8);
    if (!"ready".equals(lines.readLine())) {
      throw new IOException("the worker did not start");
    }
    Thread.ofPlatform().daemon().name("graphile").start(() -> tell(lines, work));
  }

  private static void tell(BufferedReader lines, Work work) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        work.run(Integer.parseInt(line));
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    Process stopping = node;
    node = null;
    if (stopping != null) {
      stopping.getOutputStream().close();
      if (!stopping.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        stopping.destroyForcibly();
      }
    }
  }

  @Override
  public long unfinished(Connection connection) throws SQLException {
    return Sql.number(connection, UNFINISHED);
  }

  @Override
  public String settings() {
    return "one process of Node.js with its defaults; %s jobs at a time"
        .formatted(bestConcurrency());
  }

  @Override
  public int bestConcurrency() {
    return 10;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    stop();
    if (pool != null) {
      pool.close();
    }
  }

  private HikariDataSource pool() {
    return Objects.requireNonNull(pool, "not open");
  }
}
