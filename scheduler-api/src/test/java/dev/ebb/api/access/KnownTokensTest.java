package dev.ebb.api.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.access.NewToken;
import dev.ebb.core.access.Role;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.access.NewSecret;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.StatementLimit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KnownTokensTest {

  private final DatabaseConfig config = TestPostgres.shared().newDatabase();
  private final Database database = TestPostgres.open(config);
  private final Tokens tokens = new Tokens(database);
  private final AtomicLong clock = new AtomicLong();
  private final KnownTokens known = new KnownTokens(tokens, clock::get);

  @AfterEach
  void close() {
    database.close();
  }

  private NewSecret make(String name) throws SQLException {
    return tokens.create(new NewToken(name, Role.VIEWER.scopes(), null), Bench.ACT).orElseThrow();
  }

  private void tick(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void a_revoked_token_is_refused_after_two_seconds() throws SQLException {
    NewSecret ada = make("ada");
    assertThat(known.find(ada.text())).isPresent();

    assertThat(tokens.revoke(ada.token().id(), Bench.ACT)).isPresent();

    tick(Duration.ofMillis(1_999));
    assertThat(known.find(ada.text())).as("what was read is still fresh").isPresent();
    tick(Duration.ofMillis(1));
    assertThat(known.find(ada.text())).isEmpty();
  }

  @Test
  void an_expired_token_is_refused() throws SQLException {
    NewSecret ada =
        tokens
            .create(new NewToken("ada", Role.VIEWER.scopes(), Duration.ofMinutes(1)), Bench.ACT)
            .orElseThrow();
    assertThat(known.find(ada.text())).isPresent();

    execute("update ebb.token set expires_at = now()");
    tick(Duration.ofSeconds(2));

    assertThat(known.find(ada.text())).isEmpty();
  }

  @Test
  void an_unknown_token_is_looked_for_twenty_times_a_second() throws SQLException {
    assertThat(known.find(make("ada").text())).isPresent();

    NewSecret bob = make("bob");
    assertThat(known.find(bob.text())).as("read a moment ago").isEmpty();
    tick(Duration.ofMillis(50));
    assertThat(known.find(bob.text())).isPresent();

    NewSecret eve = make("eve");
    known.changed();
    assertThat(known.find(eve.text())).isPresent();
  }

  @Test
  void a_token_with_another_secret_is_unknown() throws SQLException {
    String text = make("ada").text();
    char last = text.charAt(text.length() - 1);

    assertThat(known.find(text.substring(0, text.length() - 1) + (last == '0' ? '1' : '0')))
        .isEmpty();
    assertThat(known.find(text)).isPresent();
  }

  @Test
  void without_the_database_tokens_are_known_for_five_seconds_and_nobody_is_let_in_after()
      throws SQLException {
    NewSecret ada = make("ada");
    assertThat(known.find(ada.text())).isPresent();
    database.close();

    tick(Duration.ofMillis(4_999));
    assertThat(known.find(ada.text())).isPresent();
    tick(Duration.ofMillis(1));
    assertThatThrownBy(() -> known.find(ada.text())).isInstanceOf(SQLException.class);
  }

  /** Else the cancel of one page would refuse the submits that wait for the same read. */
  @Test
  void what_all_wait_for_is_read_at_the_servers_bound_whoever_reads_it() throws SQLException {
    NewSecret ada = make("ada");
    try (Connection other = TestPostgres.connect(config)) {
      other.setAutoCommit(false);
      other.createStatement().execute("lock table ebb.token in access exclusive mode");

      assertThatThrownBy(
              () -> StatementLimit.within(Duration.ofSeconds(1), () -> known.find(ada.text())))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("statement timeout");
    }
  }

  @Test
  void uses_at_about_one_time_are_written_by_one_statement() throws SQLException {
    for (String name : List.of("a", "b", "c", "d", "e", "f")) {
      known.changed();
      assertThat(known.find(make(name).text())).isPresent();
    }

    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (count("select count(*) from ebb.token where last_used_at is not null") < 6) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
    assertThat(count("select count(distinct xmin::text) from ebb.token")).isLessThan(6);
  }

  private long count(String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        ResultSet row = connection.createStatement().executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(config)) {
      connection.createStatement().execute(sql);
    }
  }
}
