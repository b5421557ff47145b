package dev.ebb.spring.test;

import java.time.Duration;
import java.util.UUID;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * A server of Ebb in a container, for a test that has jobs run as in production: by the
 * application's own worker, with the server's retries and limits. It makes or updates the schema of
 * its database when it starts. Needs Testcontainers, 1.21 or newer.
 */
public final class EbbContainer extends GenericContainer<EbbContainer> {
  private static final int PORT = 8080;
  private static final Duration LONGEST_START = Duration.ofMinutes(2);

  private final String token = UUID.randomUUID().toString();

  /**
   * A server that is not started yet, and needs {@link #withDatabase} before.
   *
   * @param image Ebb's, such as {@code registry.example.com/ebb:0.1.0}
   */
  public EbbContainer(String image) {
    super(DockerImageName.parse(image));
    withCommand("server");
    withExposedPorts(PORT);
    withEnv("EBB_HTTP_HOST", "0.0.0.0");
    withEnv("EBB_MIGRATE", "true");
    withEnv("EBB_ADMIN_TOKEN", token);
    waitingFor(Wait.forHttp("/readyz").forPort(PORT).withStartupTimeout(LONGEST_START));
  }

  /**
   * Gives it the database of the application.
   *
   * @param url of JDBC, as a container of the same network sees it: {@code
   *     jdbc:postgresql://postgres:5432/shop}
   * @param user may create a schema
   * @param password the user's
   * @return this container
   */
  public EbbContainer withDatabase(String url, String user, String password) {
    return withEnv("EBB_DB_URL", url)
        .withEnv("EBB_DB_USER", user)
        .withEnv("EBB_DB_PASSWORD", password);
  }

  /**
   * Where the application finds it, once it is started.
   *
   * @return the value of {@code ebb.url}
   */
  public String url() {
    return "http://" + getHost() + ":" + getMappedPort(PORT);
  }

  /**
   * What the application shows it; it permits everything.
   *
   * @return the value of {@code ebb.token}
   */
  public String token() {
    return token;
  }
}
