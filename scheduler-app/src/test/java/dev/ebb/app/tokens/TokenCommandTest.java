package dev.ebb.app.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.audit.AuditEntry;
import dev.ebb.db.audit.AuditFilter;
import dev.ebb.db.audit.AuditReads;
import dev.ebb.db.connection.Database;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenCommandTest {
  private final Settings settings =
      Settings.read(Map.of()).withDatabase(TestPostgres.shared().newDatabase(), false);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream told = new ByteArrayOutputStream();

  private String run(String... arguments) {
    out.reset();
    TokenCommand.run(settings, List.of(arguments), new PrintStream(out), new PrintStream(told));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void a_token_is_made_listed_and_revoked() throws Exception {
    String token = run("create", "checkout", "jobs:submit,jobs:read", "90d");
    assertThat(token).matches("ebb_[0-9a-z]{8}_[0-9a-z]{32}\n");
    assertThat(told.toString(StandardCharsets.UTF_8)).contains("cannot be shown again");
    try (Database database = TestPostgres.open(settings.database())) {
      assertThat(new Tokens(database).live())
          .singleElement()
          .satisfies(live ->
              assertThat(live.scopes())
                  .containsExactlyInAnyOrder(Scope.JOBS_SUBMIT, Scope.JOBS_READ));
    }

    assertThat(run("list"))
        .contains("checkout", "jobs:submit,jobs:read", "never used, expires ")
        .doesNotContain(token.strip().substring(13));
    run("revoke", "checkout");
    assertThat(run("list")).contains("revoked ");
    assertThat(run("create", "checkout", "viewer")).as("the name is free again").isNotEmpty();
  }

  @Test
  void what_is_done_on_the_machine_is_audited_with_the_user_and_without_an_address()
      throws Exception {
    run("create", "checkout", "viewer");
    run("revoke", "checkout");

    try (Database database = TestPostgres.open(settings.database())) {
      AuditFilter all = new AuditFilter(null, null, null, null, null, null);
      List<AuditEntry> entries = new AuditReads(database).list(all, 9).entries();
      assertThat(entries)
          .extracting(AuditEntry::action)
          .containsExactly("token.revoke", "token.create");
      assertThat(entries)
          .extracting(AuditEntry::act)
          .containsOnly(Act.onMachine(System.getProperty("user.name")));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | ./ebb token create NAME ROLE",
        "make ada admin | ./ebb token create NAME ROLE",
        "create ada | ./ebb token create NAME ROLE",
        "create ada amin | role must be one of viewer, auditor, operator, admin, worker. Did you mean admin",
        "create ada jobs:red | scopes must be among",
        "create ada admin soon | lifetime must be a duration such as 90d or 12h",
        "create ada admin 10s | lifetime must be between",
        "revoke nobody | There is no live token of this name or id: nobody.",
      })
  void wrong_use_is_refused_in_a_sentence(String line, String sentence) {
    String[] arguments = line.isEmpty() ? new String[0] : line.split(" ", -1);

    CannotStart refused = catchThrowableOfType(CannotStart.class, () -> run(arguments));

    assertThat(refused.sentence()).contains(sentence);
    assertThat(run("list")).isEmpty();
  }

  @Test
  void an_empty_database_is_refused_with_the_command_that_mends_it() {
    Settings empty = settings.withDatabase(TestPostgres.shared().newBareDatabase(), false);

    CannotStart refused =
        catchThrowableOfType(
            CannotStart.class,
            () ->
                TokenCommand.run(
                    empty, List.of("list"), new PrintStream(out), new PrintStream(told)));

    assertThat(refused.sentence()).contains("./ebb migrate");
  }
}
