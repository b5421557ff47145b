package dev.ebb.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * Ebb's schema in a database of tests: the migrations, one after the other, as the nodes apply
 * them. It keeps no account of them, so that no node may use such a database.
 */
final class EbbSchema {
  private static final String IS_THERE =
      """
      select (to_regnamespace('ebb') is not null)::integer
      """;
  private static final String VERSION =
      """
      select current_setting('server_version_num')::integer
      """;

  /** Tests that run side by side may share a database. */
  private static final String LOCK =
      """
      select pg_advisory_lock(hashtext('ebb.test'))
      """;

  private static final String UNLOCK =
      """
      select pg_advisory_unlock(hashtext('ebb.test'))
      """;

  private static final String MADE =
      """
      create schema ebb;
      set search_path = ebb, public
      """;
  private static final String LEFT =
      """
      reset search_path
      """;

  private EbbSchema() {}

  /** Makes it, unless there is one. */
  static void make(DataSource source) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      boolean commits = connection.getAutoCommit();
      connection.setAutoCommit(true);
      statement.execute(LOCK);
      try {
        if (number(statement, IS_THERE) == 0) {
          migrate(statement);
        }
      } finally {
        statement.execute(UNLOCK);
        connection.setAutoCommit(commits);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Ebb's schema is not made: " + e.getMessage(), e);
    }
  }

  private static void migrate(Statement statement) throws SQLException {
    int version = number(statement, VERSION);
    String before = older(version, "beforeEachMigrate__*.sql");
    String after = older(version, "afterEachMigrate__*.sql");
    statement.execute(MADE);
    for (String migration : scripts("migration/V*.sql")) {
      statement.execute(
          """
          do $whole$ begin %s %s %s end $whole$
          """
              .formatted(before, executed(migration), after));
    }
    statement.execute(LEFT);
  }

  /** A script whole, by the server: the driver cannot tell where all of its statements end. */
  private static String executed(String script) {
    return "execute $script$ %s $script$;".formatted(script);
  }

  /** What a migration needs around it on a server older than 18. */
  private static String older(int version, String files) {
    List<String> scripts = new ArrayList<>();
    if (version < 18_00_00) {
      scripts.addAll(scripts("before18/" + files));
    }
    if (version < 16_00_00) {
      scripts.addAll(scripts("before16/" + files));
    }
    return scripts.stream().map(EbbSchema::executed).collect(Collectors.joining());
  }

  private static int number(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    }
  }

  /** Those of a folder, in the order of their numbers. */
  private static List<String> scripts(String pattern) {
    try {
      Resource[] files =
          new PathMatchingResourcePatternResolver(EbbSchema.class.getClassLoader())
              .getResources("classpath:dev/ebb/spring/schema/" + pattern);
      return Arrays.stream(files)
          .sorted(Comparator.comparingInt(EbbSchema::place))
          .map(EbbSchema::text)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int place(Resource script) {
    String digits = String.valueOf(script.getFilename()).replaceAll("V(\\d+)__.*|.*", "$1");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  private static String text(Resource script) {
    try {
      return script.getContentAsString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
