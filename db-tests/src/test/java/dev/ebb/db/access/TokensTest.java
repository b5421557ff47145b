package dev.ebb.db.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.NewToken;
import dev.ebb.core.access.Role;
import dev.ebb.db.Bench;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TokensTest {
  private Bench bench;
  private Tokens tokens;

  @BeforeEach
  void open() {
    bench = new Bench();
    tokens = new Tokens(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private TokenView make(String name, @Nullable Duration lifetime) throws SQLException {
    NewToken token = new NewToken(name, Role.VIEWER.scopes(), lifetime);
    return tokens.create(token, Bench.ACT).orElseThrow().token();
  }

  private void set(String name, String change) throws SQLException {
    bench.execute("update ebb.token set " + change + " where name = '" + name + "'");
  }

  @Test
  void tokens_that_ended_90_days_ago_are_deleted_and_no_others() throws SQLException {
    make("live", null);
    make("expiring", Duration.ofDays(1));
    make("expired", Duration.ofDays(1));
    make("revoked", null);
    make("young", null);
    set("expired", "expires_at = now() - interval '91 days'");
    set("revoked", "revoked_at = now() - interval '91 days'");
    set("young", "revoked_at = now() - interval '89 days'");

    assertThat(tokens.prune()).as("there are more").isFalse();

    assertThat(tokens.list("", 9))
        .extracting(TokenView::name)
        .containsExactlyInAnyOrder("live", "expiring", "young");
  }

  @Test
  void very_many_are_deleted_in_pieces() throws SQLException {
    bench.execute(
        """
        insert into ebb.token (id, name, hash, scopes, created_by, revoked_at)
        select i, i, '', '{}', 'a', now() - interval '1 year' from generate_series(1, 1500) i
        """);

    assertThat(tokens.prune()).as("there are more").isTrue();
    assertThat(bench.count("ebb.token")).isEqualTo(500);
    assertThat(tokens.prune()).as("there are more").isFalse();
    assertThat(bench.count("ebb.token")).isZero();
  }

  @Test
  void uses_are_noted_together() throws SQLException {
    List<String> used = List.of(make("a", null).id(), make("b", null).id());
    make("unused", null);

    tokens.used(used);

    assertThat(bench.count("ebb.token where last_used_at is not null")).isEqualTo(2);
  }
}
