package dev.ebb.api;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.db.DeadLetters;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.TestSecrets;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.errors.ErrorGroups;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API on a free port over a new database, with a client to ask it. */
final class ApiServer implements AutoCloseable {
  static final String UNKNOWN_ID = "019f2b1e-7c00-7a10-8000-5d2b8f1c0e11";

  /** The token of one that asks for it. */
  static final String ADMIN = "an-admin's-token-of-32-characters";

  private final DatabaseConfig config;
  private final Database database;
  private final EbbApi api;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private ApiServer(DatabaseConfig config, ApiConfig apiConfig, Mount... mounts) {
    this.config = config;
    this.database = TestPostgres.open(config);
    this.api = EbbApi.start(apiConfig, database, () -> true, mounts);
  }

  /** One whose statements may take as long as a busy machine needs. */
  private static DatabaseConfig patientDatabase() {
    return TestPostgres.shared().newDatabase().withStatementTimeout(Duration.ofSeconds(30));
  }

  static ApiServer start() {
    return start(patientDatabase());
  }

  static ApiServer start(DatabaseConfig config) {
    return new ApiServer(config, open(local()));
  }

  /** One that has no key to encrypt secrets with. */
  static ApiServer withoutSecrets() {
    return with(ApiConfig.of("127.0.0.1", 0));
  }

  private static ApiConfig local() {
    return ApiConfig.of("127.0.0.1", 0).withSecrets(TestSecrets.BOX);
  }

  /** One with something beside the API. */
  static ApiServer beside(Mount mount) {
    return new ApiServer(patientDatabase(), open(local()), mount);
  }

  /** One that listens on this address, is served under these names, and asks for a token. */
  static ApiServer on(String host, String... names) {
    return new ApiServer(
        patientDatabase(),
        ApiConfig.of(host, 0)
            .withNames(List.of(names))
            .withAccess(AccessConfig.of(ADMIN, List.of())));
  }

  static ApiServer with(ApiConfig apiConfig) {
    return new ApiServer(patientDatabase(), open(apiConfig));
  }

  /** One over this database. */
  static ApiServer over(DatabaseConfig config, ApiConfig apiConfig) {
    return new ApiServer(config, open(apiConfig));
  }

  private static ApiConfig open(ApiConfig apiConfig) {
    return apiConfig.withAccess(AccessConfig.openToAll());
  }

  /** One that asks for tokens, over this database. */
  static ApiServer closed(DatabaseConfig config, AccessConfig access) {
    return new ApiServer(config, local().withAccess(access));
  }

  /** The same, set up otherwise. */
  static ApiServer closedWith(DatabaseConfig config, ApiConfig apiConfig) {
    return new ApiServer(config, apiConfig);
  }

  int port() {
    return api.port();
  }

  int healthPort() {
    return api.healthPort();
  }

  MeterRegistry meters() {
    return api.meters();
  }

  JobQueue queue() {
    return new JobQueue(database);
  }

  /** An answer, whose body is text. */
  record Reply(int status, String body, HttpResponse<?> response) {
    JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }

    String field(String name) {
      return json().path(name).asString("");
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    /** The pointers, or else the parameters, of a problem. */
    String firstPointer() {
      JsonNode error = json().path("errors").path(0);
      return error.path("pointer").asString(error.path("parameter").asString("-"));
    }
  }

  Database database() {
    return database;
  }

  Reply get(String path) {
    return send(request(path).GET());
  }

  Reply post(String path, String json) {
    return post(path, BodyPublishers.ofString(json));
  }

  Reply post(String path, BodyPublisher body) {
    return send(request(path).header("Content-Type", "application/json").POST(body));
  }

  /** With a token. */
  Reply postAs(String token, String path, String json) {
    return send(
        request(path)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  /** With headers, a name and a value each. */
  Reply put(String path, String json, String... headers) {
    HttpRequest.Builder request = request(path).header("Content-Type", "application/json");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.PUT(BodyPublishers.ofString(json)));
  }

  /** Puts, whatever is there. */
  Reply set(String path, String json) {
    Reply reply = put(path, json);
    return reply.status() == 428 ? put(path, json, "If-Match", "*") : reply;
  }

  /** A verb without a body. */
  Reply post(String path) {
    return send(request(path).POST(BodyPublishers.noBody()));
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path))
        .timeout(Duration.ofSeconds(30));
  }

  Reply send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
      return new Reply(response.statusCode(), response.body(), response);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Sends, and answers as soon as the head of the answer is there. */
  HttpResponse<InputStream> open(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofInputStream());
  }

  /**
   * Sends what no proper client would, a ¶ for each line's end, and answers all that comes back.
   */
  String raw(String text) throws IOException {
    byte[] request = text.replace("¶", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
      socket.setSoTimeout(15_000);
      socket.getOutputStream().write(request);
      socket.getOutputStream().flush();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The groups of the dead letters that are there, as a worker makes them behind its settles. */
  ErrorGroups grouped() throws SQLException {
    return DeadLetters.group(database);
  }

  DatabaseConfig config() {
    return config;
  }

  /** A connection of its own to the same database, to be closed by the caller. */
  Connection connect() throws SQLException {
    return TestPostgres.connect(config);
  }

  /** How many jobs are stored, in any state. */
  long stored() {
    return number("select (select count(*) from ebb.job) + (select count(*) from ebb.history)");
  }

  long number(String sql) {
    return Long.parseLong(text(sql));
  }

  String text(String sql) {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  void execute(String sql) {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Something that is held until it is closed. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /** Takes so many connections of the pool. */
  Held takeConnections(int count) throws InterruptedException {
    CountDownLatch taken = new CountDownLatch(count);
    CountDownLatch released = new CountDownLatch(1);
    for (int i = 0; i < count; i++) {
      Thread.ofVirtual().start(() -> hold(taken, released));
    }
    taken.await();
    return released::countDown;
  }

  private void hold(CountDownLatch taken, CountDownLatch released) {
    try (Connection connection = database.connection()) {
      taken.countDown();
      released.await();
    } catch (SQLException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Stops the API, while the client may still read answers. */
  void closeApi() {
    api.close();
  }

  @Override
  public void close() {
    client.close();
    api.close();
    database.close();
  }
}
