package dev.ebb.db.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlStatesTest {

  @ParameterizedTest
  @ValueSource(strings = {"25P03", "25P04", "25006", "08006", "57P01", "40001", "55P03", "42P01"})
  void what_may_succeed_later_passes(String state) {
    assertThat(SqlStates.mayRepeat(new SQLException("x", state))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"22000", "23505", "25P02", "42601", "XX000", ""})
  void what_is_wrong_does_not(String state) {
    assertThat(SqlStates.mayRepeat(new SQLException("x", state))).isFalse();
  }

  @Test
  void what_the_server_did_not_say_passes() {
    assertThat(SqlStates.mayRepeat(new SQLException("the holder is not visible"))).isTrue();
  }
}
