package dev.ebb.db.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Act;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.AuditFilter;
import dev.ebb.db.audit.AuditReads;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The audit under the roles that compose makes, and where one role owns all. */
class AppendOnlyTest {
  private static final Path ROLES = Path.of("../docker/postgres/10-roles.sql");
  private static final String FORBIDDEN = "42501";

  private static Place shared;

  /** A database with an entry, and who may do what with it. */
  private record Place(DatabaseConfig superuser, DatabaseConfig owner, DatabaseConfig node) {

    /** With roles of its own: those of a server are the same in all its databases. */
    static Place make() throws IOException, SQLException {
      DatabaseConfig superuser = TestPostgres.shared().newBareDatabase();
      String mine = "audited_" + TestPostgres.nameOf(superuser);
      String roles =
          Files.readString(ROLES)
              .replaceAll("\\bebb_owner\\b", mine + "_owner")
              .replaceAll("\\bebb\\b", mine);
      execute(superuser, roles);
      execute(
          superuser,
          "alter role %1$s_owner password 'o'; alter role %1$s password 'n'".formatted(mine));
      Place place =
          new Place(
              superuser,
              DatabaseConfig.of(superuser.url(), mine + "_owner", "o"),
              DatabaseConfig.of(superuser.url(), mine, "n"));
      Migrations.migrate(place.owner);
      place.add("ada");
      return place;
    }

    void add(String actor) throws SQLException {
      try (Database database = TestPostgres.open(node)) {
        database.inTransaction(connection -> {
          Audit.write(connection, Act.onMachine(actor), "job.cancel", "one", 1);
          return true;
        });
      }
    }

    long count(String table) throws SQLException {
      try (Connection connection = TestPostgres.connect(superuser);
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("select count(*) from " + table)) {
        row.next();
        return row.getLong(1);
      }
    }

    boolean has(YearMonth month) throws SQLException {
      return count("pg_class where relname = 'audit_" + name(month) + "'") == 1;
    }
  }

  @BeforeAll
  static void migrate() throws IOException, SQLException {
    shared = Place.make();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update ebb.audit set actor = 'bob'",
        "delete from ebb.audit",
        "truncate ebb.audit",
        "update ebb.audit_MONTH set actor = 'bob'",
        "delete from ebb.audit_MONTH",
        "truncate ebb.audit_MONTH",
        "delete from ebb.audit_rest",
        "insert into ebb.audit (id, actor, action, subject, affected)"
            + " values (uuidv7(interval '-1 year'), 'ada', 'job.cancel', 'two', 1)",
        "insert into ebb.audit_MONTH (actor, action, subject, affected)"
            + " values ('ada', 'job.cancel', 'two', 1)",
        "drop table ebb.audit_MONTH",
        "alter table ebb.audit disable trigger all",
        "alter table ebb.audit detach partition ebb.audit_MONTH",
        "drop function ebb.refuse_change() cascade",
      })
  void a_node_adds_entries_and_may_do_nothing_else_with_them(String statement) throws SQLException {
    assertThat(refusal(shared.node, statement)).as(statement).isEqualTo(FORBIDDEN);
    assertThat(shared.count("ebb.audit")).isOne();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update ebb.audit set actor = 'bob'",
        "delete from ebb.audit",
        "truncate ebb.audit",
        "delete from ebb.audit_MONTH",
        "truncate ebb.audit_MONTH",
        "truncate ebb.audit_rest",
      })
  void where_one_role_owns_all_entries_are_not_changed_by_mistake_either(String statement)
      throws SQLException {
    assertThat(refusal(shared.owner, statement)).as(statement).isEqualTo(FORBIDDEN);
    assertThat(shared.count("ebb.audit")).isOne();
  }

  @Test
  void control_without_the_trigger_a_right_is_enough_to_delete_entries() throws Exception {
    Place place = Place.make();
    execute(place.owner, "grant delete on ebb.audit to " + place.node.user());
    assertThat(refusal(place.node, "delete from ebb.audit")).isEqualTo(FORBIDDEN);
    execute(place.owner, "drop trigger audit_append_only on ebb.audit");

    execute(place.node, "delete from ebb.audit");

    assertThat(place.count("ebb.audit")).isZero();
  }

  @Test
  void only_months_that_ended_more_than_400_days_ago_are_dropped() throws Exception {
    Place place = Place.make();
    for (int ago = 1; ago <= 16; ago++) {
      execute(place.owner, makeMonth(thisMonth().minusMonths(ago)));
    }
    execute(place.owner, "drop table ebb.audit_" + name(thisMonth().plusMonths(3)));

    try (Database database = TestPostgres.open(place.node)) {
      Partitions partitions = new Partitions(database);
      while (partitions.roll(Retention.of(14)) != Partitions.Step.DONE) {
        assertThat(partitions.roll(Retention.of(14))).isNotEqualTo(Partitions.Step.BUSY);
      }
    }

    assertThat(place.has(thisMonth().minusMonths(16))).isFalse();
    assertThat(place.has(thisMonth().minusMonths(13))).isTrue();
    assertThat(place.has(thisMonth().plusMonths(3))).isTrue();
    assertThat(refusal(place.node, "truncate ebb.audit_" + name(thisMonth().plusMonths(3))))
        .isEqualTo(FORBIDDEN);
    assertThat(place.count("ebb.audit")).isOne();
  }

  @Test
  void an_entry_of_a_month_that_nobody_made_in_time_is_kept_and_read() throws Exception {
    Place place = Place.make();
    execute(place.owner, "drop table ebb.audit_" + name(thisMonth()));

    place.add("bob");

    try (Database database = TestPostgres.open(place.node)) {
      assertThat(new Partitions(database).roll(Retention.of(14))).isEqualTo(Partitions.Step.DONE);
      AuditFilter all = new AuditFilter(null, null, null, null, null, null);
      assertThat(new AuditReads(database).list(all, 9).entries())
          .singleElement()
          .satisfies(entry -> assertThat(entry.act().actor()).isEqualTo("bob"));
    }
  }

  private static String makeMonth(YearMonth month) {
    return """
    do $$ begin
      execute format(
        'create table ebb.audit_MONTH partition of ebb.audit for values from (%L) to (%L)',
        ebb.first_id('FROM'), ebb.first_id('TO'));
    end $$
    """
        .replace("MONTH", name(month))
        .replace("FROM", month + "-01 00:00:00+00")
        .replace("TO", month.plusMonths(1) + "-01 00:00:00+00");
  }

  private static YearMonth thisMonth() {
    return YearMonth.now(ZoneOffset.UTC);
  }

  private static String name(YearMonth month) {
    return month.format(DateTimeFormatter.ofPattern("yyyyMM", Locale.ROOT));
  }

  private static String refusal(DatabaseConfig config, String sql) {
    try {
      execute(config, sql.replace("MONTH", name(thisMonth())));
    } catch (SQLException refused) {
      return refused.getSQLState();
    }
    return "done";
  }

  private static void execute(DatabaseConfig config, String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
