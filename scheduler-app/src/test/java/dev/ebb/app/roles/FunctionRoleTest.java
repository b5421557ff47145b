package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.access.FunctionGrant.Right;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code ./ebb grant-submit ROLE} and {@code ./ebb grant-demand ROLE}. */
class FunctionRoleTest {
  private static final String ROLE = "Shop \"of\" grant-submit";
  private static final String QUOTED = "\"Shop \"\"of\"\" grant-submit\"";

  private final DatabaseConfig database = TestPostgres.shared().newDatabase();

  @BeforeEach
  void createRole() throws SQLException {
    execute("create role " + QUOTED + " login password 'shop'");
  }

  @AfterEach
  void dropRole() throws SQLException {
    execute("drop owned by " + QUOTED + "; drop role " + QUOTED);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String grant(DatabaseConfig by, Right right, String... arguments) {
    Settings settings = Settings.read(Map.of()).withDatabase(by, false);
    return FunctionRole.grant(settings, right, List.of(arguments));
  }

  @Test
  void a_role_that_was_granted_submits_in_its_own_session() throws SQLException {
    assertThat(grant(database, Right.SUBMIT, ROLE))
        .startsWith("The role " + ROLE + " may call ebb.submit");

    DatabaseConfig shop = DatabaseConfig.of(database.url(), ROLE, "shop");
    try (Connection connection = TestPostgres.connect(shop);
        Statement statement = connection.createStatement()) {
      assertThat(statement.execute("select ebb.submit('paid', '{}'), ebb.contract()")).isTrue();
    }
  }

  @Test
  void a_role_that_scales_workers_reads_a_number_and_nothing_else() throws SQLException {
    assertThat(grant(database, Right.DEMAND, ROLE))
        .isEqualTo("The role " + ROLE + " may call ebb.demand.");

    DatabaseConfig scaler = DatabaseConfig.of(database.url(), ROLE, "shop");
    try (Connection connection = TestPostgres.connect(scaler);
        Statement statement = connection.createStatement()) {
      assertThat(statement.execute("select ebb.demand(), ebb.demand('{a,b}')")).isTrue();
      assertThatThrownBy(() -> statement.execute("select from ebb.job"))
          .hasMessageContaining("permission denied for table job");
      assertThatThrownBy(() -> statement.execute("select ebb.submit('paid', '{}')"))
          .hasMessageContaining("permission denied for function submit");
    }
  }

  @Test
  void what_it_cannot_do_it_says() {
    assertThatThrownBy(() -> grant(database, Right.SUBMIT))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("grant-submit ROLE");
    assertThatThrownBy(() -> grant(database, Right.SUBMIT, "nobody of this name"))
        .hasMessageContaining("There is no role \"nobody of this name\"");
  }
}
