package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiConfig;
import dev.ebb.api.EbbApi;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.api.access.Session;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.NewToken;
import dev.ebb.core.access.Role;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.TestSecrets;
import dev.ebb.db.access.NewSecret;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API with the dashboard on a free port over a new database, and a browser to ask it. */
public final class UiServer implements AutoCloseable {

  /** A record that nobody put into words. */
  private static final Pattern AS_JAVA_WRITES_IT = Pattern.compile("\\b[A-Z]\\w+\\[\\w+=");

  /** May do everything where tokens are asked for. */
  public static final String ADMIN = "an-admin's-token-of-32-characters";

  private final DatabaseConfig config;
  private final Database database;
  private final EbbApi api;
  private final Map<String, String> cookies = new ConcurrentHashMap<>();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private UiServer(AccessConfig access) {
    this(access, TestPostgres.shared().newDatabase());
  }

  private UiServer(AccessConfig access, DatabaseConfig config) {
    this(ApiConfig.of("127.0.0.1", 0).withAccess(access).withSecrets(TestSecrets.BOX), config);
  }

  private UiServer(ApiConfig api, DatabaseConfig config) {
    this.config = config;
    database = TestPostgres.open(config);
    this.api =
        EbbApi.start(api, database, () -> true, Dashboard.MOUNT, Dashboard.DOCS, Dashboard.SHARE);
  }

  /** One where anybody may do everything. */
  public static UiServer open() {
    return new UiServer(AccessConfig.openToAll());
  }

  /** The same, whose statements may take so long. */
  public static UiServer impatient(Duration statements) {
    return new UiServer(
        AccessConfig.openToAll(),
        TestPostgres.shared().newDatabase().withStatementTimeout(statements));
  }

  /** One that asks for tokens, and masks payloads for those who may not see them. */
  public static UiServer closed() {
    return new UiServer(AccessConfig.of(ADMIN, List.of("")));
  }

  /** The same over the database of another. */
  public static UiServer closed(DatabaseConfig config) {
    return new UiServer(AccessConfig.of(ADMIN, List.of("")), config);
  }

  /** The same, where the head of a request may take so long, and its body three times that. */
  public static UiServer hurried(Duration headTime) {
    ApiConfig.Limits limits = ApiConfig.Limits.defaults().withConnections(100, headTime);
    return new UiServer(
        ApiConfig.of("127.0.0.1", 0)
            .withAccess(AccessConfig.of(ADMIN, List.of("")))
            .withLimits(limits),
        TestPostgres.shared().newDatabase());
  }

  /** The same, where nobody may change anything. */
  public static UiServer readOnly() {
    return new UiServer(AccessConfig.of(ADMIN, List.of("")).withReadOnly(true));
  }

  /** A new token. */
  public NewSecret token(String name, Role role) {
    try {
      NewSecret made =
          new Tokens(database)
              .create(new NewToken(name, role.scopes(), null), Act.onMachine("test"))
              .orElseThrow();
      // One that another process made is known a moment later.
      while (get("/v1/me", made.text()).status() != 200) {
        Thread.onSpinWait();
      }
      return made;
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** An answer, whose body is text. */
  public record Answer(int status, String body, HttpResponse<?> response) {
    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    public JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }

    /** A field of a JSON answer; empty if it has none. */
    public String field(String name) {
      return json().path(name).asString("");
    }
  }

  /** What a browser without a session is answered. */
  public Answer get(String path) {
    return send(request(path).GET());
  }

  /** What a browser is answered in the session of a token. */
  public Answer get(String path, String token) {
    return send(request(path).header("Cookie", cookie(token)).GET());
  }

  /** Sends a form without a session, as the sign-in does: names and values in turn. */
  public Answer form(String path, String... fields) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i + 1 < fields.length; i += 2) {
      body.append(i == 0 ? "" : "&").append(fields[i]).append('=');
      body.append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
    }
    return send(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body.toString())));
  }

  /** Asks the API for a change without a session. */
  public Answer post(String path, String json) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  /** Puts without a session. */
  public Answer put(String path, String json, String... headers) {
    HttpRequest.Builder request = request(path).header("Content-Type", "application/json");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.PUT(BodyPublishers.ofString(json)));
  }

  /** Asks the API for a change as a page does: in a session, with the page's proof. */
  public Answer post(String path, String json, String token) {
    return post(path, json, token, proof(token));
  }

  /** The same with any proof. */
  public Answer post(String path, String json, String token, String proof) {
    HttpRequest.Builder request =
        request(path).header("Content-Type", "application/json").header("Cookie", cookie(token));
    if (!proof.isEmpty()) {
      request.header(Session.PROOF, proof);
    }
    return send(request.POST(BodyPublishers.ofString(json)));
  }

  /** The id of a new job, which needs an open server. */
  public String submit(String json) {
    Answer answer = post("/v1/jobs", json);
    if (answer.status() != 201) {
      throw new IllegalStateException(answer.body());
    }
    return answer.field("id");
  }

  /** Runs a statement, for what only a worker writes. */
  public void execute(String sql) {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failure) {
      throw new IllegalStateException(sql, failure);
    }
  }

  public int port() {
    return api.port();
  }

  public DatabaseConfig config() {
    return config;
  }

  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path))
        .timeout(Duration.ofSeconds(30));
  }

  /** The answer; redirections are not followed. */
  public Answer send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
      assertThat(response.body()).doesNotContainPattern(AS_JAVA_WRITES_IT);
      return new Answer(response.statusCode(), response.body(), response);
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** What a page in the session of a token proves itself by. */
  public String proof(String token) {
    return Session.proof(cookie(token).replaceFirst(".*=", ""));
  }

  /** The cookie of a token's session, which begins at its first use. */
  public String cookie(String token) {
    String known = cookies.get(token);
    if (known != null) {
      return known;
    }
    String begun = form("/ui/login", "token", token).header("Set-Cookie").replaceFirst(";.*", "");
    if (!begun.isEmpty()) {
      cookies.put(token, begun);
    }
    return begun;
  }

  Database database() {
    return database;
  }

  @Override
  public void close() {
    client.close();
    api.close();
    database.close();
  }
}
