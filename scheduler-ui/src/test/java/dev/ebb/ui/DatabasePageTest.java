package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.db.OldSnapshot;
import dev.ebb.db.TestPostgres;
import dev.ebb.ui.UiServer.Answer;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page of the database over the real API; each test has a reading of its own. */
class DatabasePageTest {
  private UiServer server;

  @BeforeEach
  void start() {
    server = UiServer.closed(TestPostgres.durable().newDatabase());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String page() {
    return page(UiServer.ADMIN);
  }

  private String page(String token) {
    Answer answer = server.get("/ui/database", token);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void where_nothing_is_wrong_that_is_said_with_what_is_not_known() {
    assertThat(page())
        .contains("<strong>Nothing is wrong</strong>")
        .contains("What could not be seen is named below.")
        .contains("No standby is connected.", "loses everything since the last backup")
        .contains("this process runs no worker")
        // The server's own loops may be in a transaction just now.
        .containsPattern("No transaction that can be seen|The oldest transaction is [0-9]+ ms old")
        .contains("No job is due.", "No running node has reported its clock yet.")
        .contains("<strong>history</strong>", "fsync is on.");
  }

  @Test
  void what_is_wrong_comes_first_with_the_command_that_mends_it() {
    server.execute("alter table ebb.queue set (autovacuum_enabled = off)");
    server.execute(
        """
        insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency, skew_micros)
        values ('late', '1', 'h', '{}', '{echo}', 1, 90000000)
        """);

    String page = page();
    assertThat(page)
        .doesNotContain("Nothing is wrong")
        .contains("<pre>alter table ebb.queue reset (autovacuum_enabled);</pre>");
    assertThat(page.indexOf("The clock of node late is 90 s ahead of the database"))
        .isPositive()
        .isLessThan(page.indexOf("Autovacuum is off for ebb.queue"));
    assertThat(server.get("/ui", UiServer.ADMIN).body()).doesNotContain("Autovacuum is off");
  }

  @Test
  void a_hostile_session_is_shown_as_text_and_its_address_to_those_who_may() throws SQLException {
    String viewer = server.token("vera", Role.VIEWER).text();
    try (Connection report = OldSnapshot.of(server.config(), "\"><script>EVIL7()</script>")) {
      String page = page();
      assertThat(page)
          .contains("&lt;script&gt;EVIL7()&lt;/script&gt;", "idle in transaction")
          .doesNotContain("<script>EVIL7");
      assertThat(page).containsPattern("data-name=\"From\">[0-9]");
      assertThat(page(viewer)).contains("data-name=\"From\">–").contains("EVIL7()");
      report.rollback();
    }
  }

  @Test
  void what_is_bad_is_told_on_the_overview() {
    server.execute(
        """
        do $$
        declare part text;
        begin
          for part in
            select c.oid::regclass from pg_class c
            where c.relnamespace = 'ebb'::regnamespace and c.relname ~ '^attempt_[0-9]{8}$'
          loop
            execute 'drop table ' || part;
          end loop;
        end $$
        """);

    assertThat(server.get("/ui", UiServer.ADMIN).body())
        .contains("ebb.attempt has no current partition", "href=\"/ui/database\"");
    assertThat(page()).contains("Workers make them.");
  }
}
