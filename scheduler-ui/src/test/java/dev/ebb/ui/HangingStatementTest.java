package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Judged;
import dev.ebb.db.TestPostgres;
import dev.ebb.ui.UiServer.Answer;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A statement that hangs ends at its bound, and so does the page that waits for it. */
class HangingStatementTest {
  private static final Duration BOUND = Duration.ofSeconds(1);
  private static final Duration SLACK = Duration.ofSeconds(4);

  /** For a page, and for what asks the API itself. */
  private static final Duration OF_PAGES = Duration.ofSeconds(2);

  private static final Duration OF_ALL = Duration.ofSeconds(5);

  @Test
  void a_page_whose_statement_waits_for_a_lock_says_so_at_the_bound_of_statements()
      throws Exception {
    try (UiServer server = UiServer.impatient(BOUND);
        Connection other = TestPostgres.connect(server.config());
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("lock table ebb.schedule in access exclusive mode");

      long begun = System.nanoTime();
      Answer page =
          Judged.within(
              BOUND.plus(SLACK),
              "a page ends at the bound of its statement",
              server.config(),
              () -> server.get("/ui/schedules"));

      assertThat(since(begun)).isGreaterThanOrEqualTo(BOUND);
      assertThat(page.status()).isEqualTo(503);
      assertThat(page.body())
          .startsWith("<!DOCTYPE html>")
          .contains("The database is not available", "The database did not answer.");
      assertThat(server.get("/ui/jobs").status()).isEqualTo(200);
      other.rollback();
      assertThat(server.get("/ui/schedules").status()).isEqualTo(200);
    }
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  /** What asks the API waits for the bound of all: so it is not the server's that ends the page. */
  @Test
  void a_page_gives_up_a_statement_sooner_than_the_api_does() throws Exception {
    try (UiServer server = UiServer.open();
        Connection other = TestPostgres.connect(server.config());
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("lock table ebb.schedule in access exclusive mode");

      Judged.holds(
          "a page gives up sooner than the API", server.config(), _ -> missedByPage(server));
    }
  }

  private static Optional<AssertionError> missedByPage(UiServer server) throws Exception {
    long begun = System.nanoTime();
    Answer page = server.get("/ui/schedules");
    Duration ofPage = since(begun);
    Answer answer = server.get("/v1/schedules");
    Duration ofAnswer = since(begun).minus(ofPage);

    assertThat(page.status()).isEqualTo(503);
    assertThat(answer.status()).isEqualTo(503);
    assertThat(ofPage).isGreaterThanOrEqualTo(OF_PAGES);
    assertThat(ofAnswer).isGreaterThanOrEqualTo(OF_ALL);
    return Judged.missed(() -> assertThat(ofPage).isLessThan(ofAnswer));
  }
}
