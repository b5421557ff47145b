package dev.ebb.db.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Act;
import dev.ebb.core.access.NewToken;
import dev.ebb.core.access.Role;
import dev.ebb.db.Bench;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  private TokenView makeBy(TokenView maker, String name) throws SQLException {
    NewToken token = new NewToken(name, Role.VIEWER.scopes(), null);
    Act act = new Act(maker.name(), maker.id(), "127.0.0.1", null);
    return tokens.create(token, act).orElseThrow().token();
  }

  @Test
  void a_token_is_revoked_with_all_that_it_made_and_they_made() throws SQLException {
    TokenView parent = make("parent", null);
    TokenView child = makeBy(parent, "child");
    TokenView between = makeBy(child, "between");
    makeBy(between, "last");
    TokenView other = makeBy(make("uncle", null), "other");
    // As a release did that left those alone.
    set("between", "revoked_at = now()");

    Revocation revocation = tokens.revoke(parent.id(), Bench.ACT).orElseThrow();

    assertThat(revocation.revoked())
        .extracting(TokenView::name)
        .containsExactlyInAnyOrder("parent", "child", "last");
    assertThat(revocation.others()).isEqualTo(2);
    assertThat(tokens.live())
        .extracting(LiveToken::name)
        .containsExactlyInAnyOrder("uncle", "other");
    assertThat(other.createdById()).isNotNull();
    assertThat(bench.count("ebb.audit where action = 'token.revoke' and affected = 3")).isOne();
    assertThat(tokens.revoke(parent.id(), Bench.ACT)).as("once").isEmpty();
  }

  @Test
  void a_token_that_is_being_made_ends_with_the_maker_of_its_maker() throws Exception {
    TokenView parent = make("parent", null);
    TokenView child = makeBy(parent, "child");
    try (Connection making = bench.database.connection();
        Statement statement = making.createStatement();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      making.setAutoCommit(false);
      // As Tokens does it: the maker is locked, and then the token is there, for nobody else yet.
      statement.execute("select from ebb.token where id = '" + child.id() + "' for share");
      statement.execute(
          """
          insert into ebb.token (id, name, hash, scopes, created_by, created_by_id)
          values ('late0000', 'late', 'h', '{}', 'child', '%s')
          """
              .formatted(child.id()));
      Future<?> revoking = threads.submit(() -> tokens.revoke(parent.id(), Bench.ACT));
      bench.awaitRow(
          "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          Duration.ofMinutes(1));
      making.commit();
      revoking.get();
    }

    assertThat(tokens.live()).isEmpty();
  }

  @Test
  void uses_are_noted_together() throws SQLException {
    List<String> used = List.of(make("a", null).id(), make("b", null).id());
    make("unused", null);

    tokens.used(used);

    assertThat(bench.count("ebb.token where last_used_at is not null")).isEqualTo(2);
  }
}
