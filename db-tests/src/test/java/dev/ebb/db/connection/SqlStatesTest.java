package dev.ebb.db.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlStatesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "25P03", "25P04", "25006", "08006", "57P01", "40001", "55P03", "42P01", "28000", "28P01",
        "3D000", "42501", "53100", "53300", "55000", "57P02", "57P03", "57P05", "0A000", "25P02",
        "42601", "42703", "54000", "58030", "XX000", "XX001", "EBB01", ""
      })
  void what_is_not_wrong_with_the_rows_may_be_repeated(String state) {
    assertThat(SqlStates.mayRepeat(new SQLException("x", state))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"22000", "22P02", "23505", "23514"})
  void rows_that_the_server_refuses_are_refused_again(String state) {
    assertThat(SqlStates.mayRepeat(new SQLException("x", state))).isFalse();
  }

  @Test
  void a_connection_that_was_not_given_is_no_fault_of_the_rows_whatever_the_state() {
    for (String state : new String[] {"22023", "55000", "42501"}) {
      SQLException refused = new SQLTransientConnectionException("x", state);

      for (SQLException told : List.of(refused, SqlStates.again(refused))) {
        assertThat(SqlStates.isOfTheServer(told)).as(state).isTrue();
        assertThat(SqlStates.isOfTheRows(told)).as(state).isFalse();
        assertThat(SqlStates.isPerhapsOfTheRows(told)).as(state).isFalse();
        assertThat(SqlStates.mayRepeat(told)).as(state).isTrue();
      }
    }
    assertThat(SqlStates.isOfTheRows(SqlStates.again(new SQLException("x", "22023")))).isTrue();
  }

  @Test
  void what_the_server_did_not_say_passes() {
    assertThat(SqlStates.mayRepeat(new SQLException("the holder is not visible"))).isTrue();
  }
}
