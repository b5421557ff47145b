package dev.ebb.db;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.Migrations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.images.RemoteDockerImage;
import org.testcontainers.utility.DockerImageName;

/**
 * A real PostgreSQL for tests: a container where an engine answers, embedded binaries otherwise and
 * for older versions. It keeps its port when it is stopped and started again.
 */
public final class TestPostgres implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 300;
  private static final DockerImageName IMAGE = DockerImageName.parse("postgres:18");

  // No sync of the empty cluster alone: whether the server waits for the disk is told apart.
  private static final Map<String, String> ENVIRONMENT =
      Map.of("POSTGRES_PASSWORD", "postgres", "POSTGRES_INITDB_ARGS", "--no-sync");

  private static final List<String> SETTINGS =
      List.of(
          "max_connections=" + MAX_CONNECTIONS,
          "shared_buffers=256MB",
          "synchronous_commit=on",
          "max_wal_size=4GB",
          "shared_preload_libraries=pg_stat_statements",
          // Of every database of a test: what is forgotten for the sake of others would not be
          // counted.
          "pg_stat_statements.max=50000",
          // What makes a password dear to guess would be most of what a connection costs.
          "scram_iterations=1",
          // One look at each database in that time, and hundreds of databases are left behind.
          "autovacuum_naptime=" + System.getProperty("ebb.test.naptime", "10min"));

  /** Those given to somebody, each with the next one. */
  private static final Map<Integer, FileLock> PORTS = new HashMap<>();

  private final int port;
  private final Server server;
  private final AtomicInteger databases = new AtomicInteger();

  /** The database that has each filling. */
  private final Map<String, String> full = new ConcurrentHashMap<>();

  private TestPostgres(int port, Server server) {
    this.port = port;
    this.server = server;
  }

  private static final class Shared {
    static final TestPostgres INSTANCE = passing(false);
  }

  private static final class Durable {
    static final TestPostgres INSTANCE = passing(true);
  }

  /**
   * The one of this JVM, for tests that do not stop it. It waits for no disk: its data need not
   * outlive the machine, and a commit takes seconds there when a module beside it writes much.
   */
  public static TestPostgres shared() {
    return Shared.INSTANCE;
  }

  /** The same, which waits for the disk, for tests in which somebody looks whether it does. */
  public static TestPostgres durable() {
    return Durable.INSTANCE;
  }

  /** One of the caller's own, to be closed. */
  public static TestPostgres start() {
    return start(
        PostgresVersion.TESTED,
        port ->
            hasEngine() ? new Container(port) : new Embedded(port, PostgresVersion.TESTED, true));
  }

  /** Whether the servers of the tests are of the newest version. */
  public static boolean isNewest() {
    return PostgresVersion.TESTED.isNewest();
  }

  /** One of the caller's own, of the oldest version that can run Ebb. */
  public static TestPostgres oldest() {
    return start(PostgresVersion.OLDEST, port -> new Embedded(port, PostgresVersion.OLDEST, true));
  }

  private static TestPostgres passing(boolean durable) {
    return start(
        PostgresVersion.TESTED,
        port ->
            hasEngine()
                ? new Passing(port, durable)
                : new Embedded(port, PostgresVersion.TESTED, durable));
  }

  private static TestPostgres start(PostgresVersion version, IntFunction<Server> servers) {
    int port = freePort();
    Server server = servers.apply(port);
    server.start();
    TestPostgres postgres = new TestPostgres(port, server);
    postgres.awaitReady();
    postgres.execute("alter role postgres password 'postgres'");
    version.equip(postgres);
    postgres.execute("create database ebb_template");
    Migrations.migrate(postgres.config("ebb_template"));
    Runtime.getRuntime().addShutdownHook(new Thread(postgres::close));
    return postgres;
  }

  private static boolean hasEngine() {
    return PostgresVersion.TESTED.isNewest()
        && !Boolean.getBoolean("ebb.test.embedded")
        && DockerClientFactory.instance().isDockerAvailable();
  }

  /** A new, migrated, empty database. */
  public DatabaseConfig newDatabase() {
    String name = "test_" + databases.incrementAndGet();
    execute("create database " + name + " template ebb_template");
    return config(name);
  }

  /** Fills a database. */
  @FunctionalInterface
  public interface Filling {
    void fill(DatabaseConfig empty) throws SQLException;
  }

  /**
   * A new, migrated database that is full: the first that is asked for by that name is filled, and
   * the others are copies of what it was then.
   *
   * @param filling has closed its connections when it returns
   */
  public DatabaseConfig newDatabase(String name, Filling filling) {
    String template = full.computeIfAbsent(name, _ -> filled(filling));
    String copy = "test_" + databases.incrementAndGet();
    // Less of a large one is written than by its log, which has every page.
    execute("create database " + copy + " template " + template + " strategy file_copy");
    return config(copy);
  }

  private String filled(Filling filling) {
    DatabaseConfig empty = newDatabase();
    try {
      filling.fill(empty);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return nameOf(empty);
  }

  /** A new database without Ebb's schema. */
  public DatabaseConfig newBareDatabase() {
    String name = "bare_" + databases.incrementAndGet();
    execute("create database " + name);
    return config(name);
  }

  public DatabaseConfig config(String database) {
    return DatabaseConfig.of(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + database, "postgres", "postgres");
  }

  /** The name of the database that it leads to. */
  public static String nameOf(DatabaseConfig config) {
    return config.url().replaceAll(".*/", "");
  }

  public int port() {
    return port;
  }

  /** Stops the server as a crash does: no checkpoint, every connection cut. */
  public void stop() {
    server.stop();
  }

  /** Starts the stopped server, on the same port and data, and waits until it answers. */
  public void restart() {
    server.start();
    awaitReady();
  }

  /** Restarts the server as one that only follows another: it can be read, and not written. */
  public void follow() {
    server.demote();
    stop();
    restart();
  }

  /** Runs a statement on the maintenance database. */
  public void execute(String sql) {
    execute(config("postgres"), sql);
  }

  void execute(DatabaseConfig database, String sql) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** A plain connection beside every pool. */
  public static Connection connect(DatabaseConfig config) throws SQLException {
    return DriverManager.getConnection(config.url(), config.user(), config.password());
  }

  /**
   * A pool that has its first connection: on a busy machine that one may take longer than anybody
   * waits for it.
   */
  public static Database open(DatabaseConfig config) {
    Database database = Database.open(config);
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (true) {
      try {
        database.connection().close();
        return database;
      } catch (SQLException e) {
        if (System.nanoTime() - deadline > 0) {
          database.close();
          throw new IllegalStateException("no connection: " + config.url(), e);
        }
      }
    }
  }

  private void awaitReady() {
    awaitReady(config("postgres"));
  }

  /** Waits until one can connect. */
  public static void awaitReady(DatabaseConfig config) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (true) {
      try (Connection connection = connect(config)) {
        connection.isValid(5);
        return;
      } catch (SQLException e) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("PostgreSQL did not come up: " + config.url(), e);
        }
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      }
    }
  }

  /**
   * A port on which nobody listens now, and neither on the next one. It lies below those that the
   * system hands to outgoing connections: a test may close it, and must find it free again. No
   * other test is given either, neither in this process nor in one beside it.
   */
  public static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(10_000, 16_000) * 2;
      if (isTaken(port) && isFree(port) && isFree(port + 1)) {
        return port;
      }
    }
  }

  /** Takes the port for this process, as long as it lives: two modules are tested at a time. */
  private static synchronized boolean isTaken(int port) {
    if (PORTS.containsKey(port)) {
      return false;
    }
    Path folder =
        Path.of(System.getProperty("java.io.tmpdir"))
            .resolve("ebb-test-ports-" + System.getProperty("user.name"));
    try {
      Files.createDirectories(folder);
      Path file = folder.resolve(Integer.toString(port));
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        return false;
      }
      PORTS.put(port, lock);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    server.close();
  }

  interface Server {
    void start();

    void stop();

    /** Has the next start be that of a standby. */
    void demote();

    void close();
  }

  /**
   * One that is started once. The engine removes it when it has ended, and nobody waits for that:
   * to delete the files of hundreds of databases takes half a minute. Testcontainers does not know
   * of it, which would have the JVM wait at its end.
   */
  private static final class Passing implements Server {
    private final DockerClient engine = DockerClientFactory.lazyClient();
    private final String id;

    Passing(int port, boolean durable) {
      id =
          engine
              .createContainerCmd(new RemoteDockerImage(IMAGE).get())
              .withEnv(
                  ENVIRONMENT.entrySet().stream()
                      .map(variable -> variable.getKey() + "=" + variable.getValue())
                      .toList())
              .withCmd(command(durable))
              .withHostConfig(
                  HostConfig.newHostConfig()
                      .withAutoRemove(true)
                      .withPortBindings(PortBinding.parse("127.0.0.1:" + port + ":5432")))
              .exec()
              .getId();
    }

    @Override
    public void start() {
      engine.startContainerCmd(id).exec();
    }

    @Override
    public void stop() {
      throw new IllegalStateException("other tests use it");
    }

    @Override
    public void demote() {
      stop();
    }

    @Override
    public void close() {
      engine.killContainerCmd(id).exec();
    }
  }

  /** Each as name=value. */
  static List<String> settings(boolean durable) {
    return Stream.concat(SETTINGS.stream(), Stream.of("fsync=" + (durable ? "on" : "off")))
        .toList();
  }

  private static String[] command(boolean durable) {
    return Stream.concat(
            Stream.of("postgres"),
            settings(durable).stream().flatMap(setting -> Stream.of("-c", setting)))
        .toArray(String[]::new);
  }

  private static final class Container implements Server {
    private final GenericContainer<?> container;

    Container(int port) {
      container = container();
      container.setCommandParts(command(true));
      container.setPortBindings(List.of("127.0.0.1:" + port + ":5432"));
    }

    @Override
    public void start() {
      if (container.getContainerId() == null) {
        container.start();
      } else {
        container.getDockerClient().startContainerCmd(container.getContainerId()).exec();
      }
    }

    @Override
    public void stop() {
      container.getDockerClient().killContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void demote() {
      try {
        container.execInContainer("sh", "-c", "touch $PGDATA/standby.signal");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      container.stop();
    }
  }

  /** A PostgreSQL that is not started yet; {@link #awaitReady(DatabaseConfig)} waits for it. */
  @SuppressWarnings("resource")
  public static GenericContainer<?> container() {
    return new GenericContainer<>(IMAGE).withEnv(ENVIRONMENT).waitingFor(new Later());
  }

  /** TestPostgres waits by connecting, which the image's own commands could not do better. */
  private static final class Later extends AbstractWaitStrategy {
    @Override
    protected void waitUntilReady() {}
  }
}
