package dev.ebb.db.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a process knows of its own writes. */
class StoringTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Duration time = Duration.ZERO;
  private final Storing storing = new Storing(() -> START.plus(time), () -> time.toNanos());

  private void passes(int seconds) {
    time = time.plusSeconds(seconds);
  }

  private void refuse(String state) {
    assertThatThrownBy(() ->
            storing.submit(
                () -> {
                  throw new SQLException("refused", state);
                },
                _ -> true))
        .isInstanceOf(SQLException.class);
  }

  private void store(boolean isNew) throws SQLException {
    assertThat(storing.submit(() -> isNew, answer -> answer)).isEqualTo(isNew);
  }

  private @Nullable String why() {
    Storing.Trouble trouble = storing.trouble();
    return trouble == null ? null : trouble.why();
  }

  @Test
  void nothing_is_known_before_the_first_write() throws SQLException {
    assertThat(storing.isKnown()).isFalse();
    assertThat(why()).isNull();

    store(true);

    assertThat(storing.isKnown()).isTrue();
    assertThat(why()).isNull();
  }

  @Test
  void a_refused_job_tells_until_another_is_stored() throws SQLException {
    refuse("53100");
    assertThat(storing.trouble())
        .isEqualTo(new Storing.Trouble(START, "the server's disk is full (53100)", "53100"));

    store(false);
    assertThat(why()).as("a replay stores nothing").isNotNull();
    store(true);
    assertThat(why()).isNull();
  }

  @Test
  void a_refused_job_tells_for_half_a_minute_and_the_trouble_since_when_it_began() {
    refuse("53100");
    passes(31);
    assertThat(why()).isNull();

    refuse("53100");

    assertThat(storing.trouble()).extracting(Storing.Trouble::since).isEqualTo(START);
  }

  @ParameterizedTest
  @ValueSource(strings = {"22001", "23505", "40001", "55P03", "57014", "08006", "42P01"})
  void what_another_job_may_not_meet_tells_nothing(String state) {
    refuse(state);

    assertThat(why()).isNull();
  }

  @Test
  void a_beat_that_is_refused_tells_until_the_next_one_succeeds() throws SQLException {
    assertThatThrownBy(() ->
            storing.beat(() -> {
              throw new SQLException("refused", "25006");
            }))
        .isInstanceOf(SQLException.class);
    passes(3600);
    assertThat(why()).isEqualTo("the server is read-only (25006)");

    storing.beat(() -> 1);

    assertThat(why()).isNull();
  }

  @Test
  void a_beat_that_succeeds_says_nothing_of_a_refused_job() throws SQLException {
    refuse("53100");

    storing.beat(() -> 1);

    assertThat(why()).isNotNull();
  }

  @Test
  void a_commit_tells_while_it_has_waited_for_over_two_seconds() throws SQLException {
    storing.commit(() -> {
      passes(2);
      assertThat(why()).isNull();
      passes(1);
      assertThat(why()).isEqualTo("a commit has waited for over two seconds");
      return 1;
    });

    assertThat(why()).isNull();
  }
}
