package dev.ebb.spring.test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Ebb's schema in a database of tests: the migrations, one after the other, as the nodes apply
 * them, in one transaction. Its comment is its mark: it says who made it, of which version. A
 * schema without it is a real one, and is left alone; no node uses one that has it, for it lacks
 * the account of its migrations.
 */
final class TestSchema {
  private static final String FOUND =
      """
      select
        to_regnamespace('ebb') is not null,
        obj_description(to_regnamespace('ebb'), 'pg_namespace')
      """;
  private static final String SERVER =
      """
      select current_setting('server_version_num')::integer, current_setting('server_encoding')
      """;

  /** Tests that start side by side may share a server. */
  private static final String LOCK =
      """
      select pg_advisory_xact_lock(hashtext('ebb.test'))
      """;

  private static final String BEGUN =
      """
      create schema ebb;
      set local search_path = ebb, public
      """;
  private static final String RUNS =
      """
      create table ebb.test_run (
        job uuid primary key,
        attempt integer not null,
        has_ended boolean not null default false,
        unique_key text
      )
      """;
  private static final int OLDEST = 15_00_00;

  private final DataSource source;
  private final Scripts scripts;

  TestSchema(DataSource source) {
    this(source, new Scripts(TestSchema.class.getClassLoader()));
  }

  TestSchema(DataSource source, Scripts scripts) {
    this.source = source;
    this.scripts = scripts;
  }

  /** Makes it, unless there is one; an {@link IllegalStateException} that says why it cannot. */
  void make() {
    try (Connection connection = source.getConnection()) {
      requirePostgres(connection);
      boolean commits = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        make(statement);
        connection.commit();
      } finally {
        connection.rollback();
        connection.setAutoCommit(commits);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Ebb's schema is not made: " + e.getMessage(), e);
    }
  }

  private static void requirePostgres(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    require(
        product.equals("PostgreSQL"),
        "Ebb keeps jobs in PostgreSQL, and the database of this test is "
            + product
            + ": give it one, for example by Testcontainers, and keep"
            + " @AutoConfigureTestDatabase from replacing it.");
  }

  private void make(Statement statement) throws SQLException {
    statement.execute(LOCK);
    if (!isThere(statement)) {
      int version = version(statement);
      statement.execute(BEGUN);
      for (String migration : scripts.migrations(version)) {
        statement.execute(migration);
      }
      statement.execute(RUNS);
      statement.execute(
          """
          comment on schema ebb is '%s'
          """
              .formatted(scripts.mark()));
    }
  }

  private boolean isThere(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(FOUND)) {
      row.next();
      boolean isThere = row.getBoolean(1);
      if (isThere) {
        requireMark(row.getString(2));
      }
      return isThere;
    }
  }

  private static int version(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(SERVER)) {
      row.next();
      int version = row.getInt(1);
      require(
          version >= OLDEST,
          "Ebb needs PostgreSQL 15 or newer, and this is " + version / 10_000 + ".");
      require(
          row.getString(2).equals("UTF8"),
          "Ebb needs a database in UTF8, and this is in " + row.getString(2) + ".");
      return version;
    }
  }

  /** An {@link IllegalStateException} unless a kit of this version made the schema. */
  void requireOwn() {
    requireMark(new JdbcTemplate(source).query(FOUND, row -> row.next() ? row.getString(2) : null));
  }

  private void requireMark(@Nullable String found) {
    require(
        found != null && found.startsWith(Scripts.MAKER),
        "The schema ebb of this database was not made by @EbbTest, so that its jobs may be real:"
            + " give the test a database of its own, without that schema.");
    require(
        scripts.mark().equals(found),
        "The schema ebb of this database was made by another version of @EbbTest: drop it (drop"
            + " schema ebb cascade), and it is made anew.");
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalStateException(rule);
    }
  }
}
