package dev.ebb.db.submit;

import static dev.ebb.db.submit.SqlSubmits.ask;
import static dev.ebb.db.submit.SqlSubmits.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code ebb.submit} takes for a payload: what Java does. */
class SqlPayloadTest {
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"body\": \"\\u0000 \\ud800\"}",
        "{\"body\": \"\\udc4d\\ud83d\\ud83d\\udc4d\\udc4d\"}",
        "{\"body\": \"\\\\ud83d\\udc4d \\\\\\u0000\"}",
        "{\"\\ud83d\\udc4d\": 3, \"\\uD83D\\uDC4E\": 1}",
        "{\"\\ud83d\": 3, \"\\ud83e\": 1}"
      })
  void escapes_that_postgresql_cannot_read_are_kept(String object) throws SQLException {
    String payload = "{\"url\": \"http://a.example\", \"more\": " + object + "}";

    String expected = row(bench, bench.submit(NewJob.of("http", payload)));
    assertThat(row(bench, ask(bench, "ebb.submit('http', '" + payload + "')").getFirst()))
        .isEqualTo(expected);
  }

  static Stream<String> unreadable() {
    return Stream.of(
        "{",
        "1 2",
        "{\"a\": 1, \"a\": 2}",
        "{\"\\ud83d\\udc4d\": 1, \"\\uD83D\\uDC4D\": 2}",
        "{\"\\ud83d\\udc4d\": 1, \"\ud83d\udc4d\": 2}",
        "\"\\x0041 \\ud83d\"",
        "'",
        "[".repeat(501) + "]".repeat(501),
        "[" + "1".repeat(1001) + "]");
  }

  /** What PostgreSQL takes for JSON and Jackson does not would be a job that nobody can read. */
  @ParameterizedTest
  @MethodSource("unreadable")
  void a_payload_that_java_refuses_is_refused(String payload) {
    assertThatThrownBy(() -> bench.submit(NewJob.of("a", payload)))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> ask(bench, "ebb.submit('a', $$" + payload + "$$)"))
        .hasMessageContaining("payload must be one JSON value without duplicate keys");
  }
}
