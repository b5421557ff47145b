package dev.ebb.bench.machine;

import com.github.dockerjava.api.command.InspectContainerResponse;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/** The one PostgreSQL 18 of a run: a container where an engine answers, embedded otherwise. */
public final class Server implements AutoCloseable {
  /** What every system finds; a checkpoint in the middle of a measurement would hit one of them. */
  public static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("shared_buffers", "1GB"),
          Map.entry("max_wal_size", "8GB"),
          Map.entry("checkpoint_timeout", "1h"),
          Map.entry("wal_compression", "off"),
          Map.entry("fsync", "on"),
          Map.entry("synchronous_commit", "on"),
          Map.entry("full_page_writes", "on"),
          Map.entry("autovacuum", "on"),
          Map.entry("max_connections", "200"),
          Map.entry("jit", "off"),
          Map.entry("shared_preload_libraries", "pg_stat_statements"));

  /** The systems' role: what it does is told apart from what the harness asks. */
  public static final String ROLE = "bench";

  private static final String ADMIN = "postgres";
  private static final int PORT = 5432;
  private static final Duration START = Duration.ofSeconds(90);

  private final String address;
  private final OptionalLong process;
  private final String kind;
  private final AutoCloseable running;

  private Server(String address, OptionalLong process, String kind, AutoCloseable running) {
    this.address = address;
    this.process = process;
    this.kind = kind;
    this.running = running;
  }

  public static Server start() throws Exception {
    Server server = DockerClientFactory.instance().isDockerAvailable() ? inContainer() : embedded();
    server.prepare();
    return server;
  }

  /** One that runs already and stays the caller's to stop. */
  public static Server at(int port) throws Exception {
    Server server = new Server("127.0.0.1:" + port, OptionalLong.empty(), "given", () -> {});
    server.prepare();
    return server;
  }

  @SuppressWarnings("resource")
  private static Server inContainer() {
    GenericContainer<?> container =
        new GenericContainer<>(DockerImageName.parse("postgres:18"))
            .withEnv("POSTGRES_PASSWORD", ADMIN)
            .withExposedPorts(PORT)
            .withSharedMemorySize(512L << 20)
            .waitingFor(new Later());
    List<String> command = new ArrayList<>(List.of("postgres"));
    SETTINGS.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
    container.setCommandParts(command.toArray(String[]::new));
    container.start();
    InspectContainerResponse facts = container.getContainerInfo();
    Long pid = facts.getState().getPidLong();
    return new Server(
        addressOf(container),
        pid == null ? OptionalLong.empty() : own(pid),
        "container postgres:18",
        container::stop);
  }

  /** The process's number, unless it is that of another machine or namespace. */
  private static OptionalLong own(long pid) {
    return ProcessHandle.of(pid)
            .flatMap(process -> process.info().commandLine())
            .filter(line -> line.contains("postgres"))
            .isPresent()
        ? OptionalLong.of(pid)
        : OptionalLong.empty();
  }

  /** The harness waits by connecting. */
  private static final class Later extends AbstractWaitStrategy {
    @Override
    protected void waitUntilReady() {}
  }

  /** Past the engine's port forwarder, a process of its own, where the container can be reached. */
  private static String addressOf(GenericContainer<?> container) {
    String forwarded = container.getHost() + ":" + container.getMappedPort(PORT);
    return container.getContainerInfo().getNetworkSettings().getNetworks().values().stream()
        .map(network -> network.getIpAddress())
        .filter(ip -> ip != null && answers(ip))
        .map(ip -> ip + ":" + PORT)
        .findFirst()
        .orElse(forwarded);
  }

  private static boolean answers(String host) {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (System.nanoTime() < deadline) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(host, PORT), 1_000);
        return true;
      } catch (java.net.ConnectException notYet) {
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      } catch (IOException unreachable) {
        return false;
      }
    }
    return false;
  }

  private static Server embedded() throws IOException {
    Path data = Files.createTempDirectory("ebb-bench");
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(true);
    SETTINGS.forEach(builder::setServerConfig);
    EmbeddedPostgres postgres = builder.start();
    String pid = Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip();
    return new Server(
        "127.0.0.1:" + postgres.getPort(),
        OptionalLong.of(Long.parseLong(pid)),
        "embedded binaries",
        postgres);
  }

  private void prepare() throws SQLException {
    awaitReady();
    try (Connection admin = Sql.connect(admin(ADMIN))) {
      Sql.execute(admin, "create extension if not exists pg_stat_statements");
      if (Sql.number(admin, "select count(*) from pg_roles where rolname = ?", ROLE) == 0) {
        Sql.execute(admin, "create role " + ROLE + " login password '" + ROLE + "'");
      }
    }
  }

  private void awaitReady() throws SQLException {
    long deadline = System.nanoTime() + START.toNanos();
    while (true) {
      try (Connection connection = Sql.connect(admin(ADMIN))) {
        connection.isValid(5);
        return;
      } catch (SQLException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      }
    }
  }

  /** A database as the harness sees it. */
  public Target admin(String database) {
    return new Target("jdbc:postgresql://" + address + "/" + database, ADMIN, ADMIN);
  }

  /** A database as the systems see it. */
  public Target target(String database) {
    return new Target("jdbc:postgresql://" + address + "/" + database, ROLE, ROLE);
  }

  /** The postmaster's number on this machine, where it is known. */
  public OptionalLong process() {
    return process;
  }

  public String kind() {
    return kind;
  }

  @Override
  public void close() throws Exception {
    running.close();
  }
}
