package dev.ebb.db.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionKeysTest {
  private Bench bench;
  private SessionKeys keys;

  @BeforeEach
  void open() {
    bench = new Bench();
    keys = new SessionKeys(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void age(String by) throws SQLException {
    bench.execute("update ebb.session_key set made_at = made_at - interval '" + by + "'");
  }

  @Test
  void a_key_serves_a_day_is_known_for_another_and_is_forgotten() throws SQLException {
    SessionKeys.Key first = keys.newest();
    assertThat(keys.newest().id()).isEqualTo(first.id());
    age("25 hours");

    SessionKeys.Key second = keys.newest();

    assertThat(second.secret()).hasSize(32).isNotEqualTo(first.secret());
    assertThat(keys.live())
        .extracting(SessionKeys.Key::id)
        .containsExactly(second.id(), first.id());
    age("24 hours");
    assertThat(keys.live()).extracting(SessionKeys.Key::id).containsExactly(second.id());
    keys.newest();
    assertThat(bench.count("ebb.session_key where id = " + first.id())).isZero();
  }
}
