package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.NewToken;
import dev.ebb.core.access.Role;
import dev.ebb.db.Judged;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.access.NewSecret;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.FreezingProxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two API processes over one database: a token that one revokes, the other refuses. */
class RevokedTokenTest {
  private static final AccessConfig ACCESS = AccessConfig.of(ApiServer.ADMIN, List.of());
  private static final Duration AT_MOST = Duration.ofSeconds(5);

  private final DatabaseConfig config = TestPostgres.shared().newDatabase();

  private NewSecret make() throws Exception {
    try (Database database = TestPostgres.open(config)) {
      return new Tokens(database)
          .create(new NewToken("ada", Role.VIEWER.scopes(), null), Act.onMachine("test"))
          .orElseThrow();
    }
  }

  private static int ask(ApiServer api, String token) {
    return api.send(api.request("/v1/me").header("Authorization", "Bearer " + token).GET())
        .status();
  }

  private static void revoke(ApiServer api, NewSecret token) {
    int status =
        api.send(
                api.request("/v1/tokens/" + token.token().id())
                    .header("Authorization", "Bearer " + ApiServer.ADMIN)
                    .DELETE())
            .status();
    assertThat(status).isBetween(200, 204);
  }

  /** For how long after the revocation requests began that are served. */
  private static Duration servedFor(ApiServer api, String token) {
    long revoked = System.nanoTime();
    long last = revoked;
    long begun = revoked;
    while (ask(api, token) == 200) {
      last = begun;
      begun = System.nanoTime();
    }
    return Duration.ofNanos(last - revoked);
  }

  @Test
  void a_token_that_is_revoked_at_one_is_refused_by_the_other_within_five_seconds()
      throws Exception {
    try (ApiServer one = ApiServer.closed(config, ACCESS);
        ApiServer other = ApiServer.closed(config, ACCESS)) {
      Judged.holds(
          "a revoked token is refused by the other",
          config,
          _ -> {
            NewSecret token = make();
            assertThat(ask(other, token.text())).isEqualTo(200);
            revoke(one, token);

            assertThat(ask(one, token.text())).isEqualTo(401);
            Duration served = servedFor(other, token.text());
            assertThat(ask(other, token.text())).isEqualTo(401);
            return Judged.missed(() -> assertThat(served).isLessThan(AT_MOST));
          });
    }
  }

  @Test
  void it_is_refused_as_soon_while_the_database_does_not_answer_the_other() throws Exception {
    Judged.holds(
        "a revoked token is refused beside a database that does not answer",
        config,
        _ -> {
          try (FreezingProxy proxy = new FreezingProxy(TestPostgres.shared().port());
              ApiServer one = ApiServer.closed(config, ACCESS);
              ApiServer other = ApiServer.closed(through(proxy), ACCESS)) {
            Duration served = servedByFrozen(proxy, one, other);
            return Judged.missed(() -> assertThat(served).isLessThan(AT_MOST));
          }
        });
  }

  private Duration servedByFrozen(FreezingProxy proxy, ApiServer one, ApiServer other)
      throws Exception {
    NewSecret token = make();
    assertThat(ask(other, token.text())).isEqualTo(200);
    proxy.freeze();
    revoke(one, token);

    Duration served = servedFor(other, token.text());
    assertThat(ask(other, token.text())).isEqualTo(503);
    return served;
  }

  private DatabaseConfig through(FreezingProxy proxy) {
    String url = config.url().replaceFirst("//[^/]+/", "//127.0.0.1:" + proxy.port() + "/");
    return config.withUrl(url);
  }
}
