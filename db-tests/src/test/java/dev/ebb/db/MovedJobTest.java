package dev.ebb.db;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.operation.JobAction;
import dev.ebb.db.claim.ClaimedJob;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a job keeps among the dead letters and after a redrive, whatever columns it has. */
class MovedJobTest {
  /** The columns that the dead letters have not: a redriven job starts from their defaults. */
  private static final Set<String> OF_LIVE_JOBS =
      Set.of(
          "last_delay_micros",
          "snoozes",
          "cancel_requested",
          "held_version",
          "held_until",
          "held_run_at",
          "held_reason",
          "ordering_number",
          "blocked_version",
          "blocks_until");

  private static final Set<String> WRITTEN_BY_DEATH = Set.of("version", "attempt");
  private static final Set<String> WRITTEN_BY_REDRIVE = Set.of("attempt", "run_at", "redriven_at");

  /** A value of each type that no column has by default. */
  private static final Map<String, String> SAMPLES =
      Map.of(
          "text", "'sample'",
          "smallint", "7",
          "integer", "7",
          "bigint", "7",
          "boolean", "true",
          "ARRAY", "'{a}'",
          "jsonb", "'{\"a\": \"b\"}'",
          "timestamp with time zone", "'2020-01-02 03:04:05+00'");

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** The types of the table's columns, by their names. */
  private Map<String, String> columns(String table) throws SQLException {
    Map<String, String> types = new TreeMap<>();
    String sql =
        """
        select column_name, data_type
        from information_schema.columns
        where table_schema = 'ebb' and table_name = '%s'
        """
            .formatted(table);
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        types.put(rows.getString(1), rows.getString(2));
      }
    }
    return types;
  }

  private Map<String, @Nullable String> onlyRow(String table) throws SQLException {
    Map<String, @Nullable String> row = new TreeMap<>();
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select * from ebb." + table)) {
      assertThat(rows.next()).isTrue();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        row.put(rows.getMetaData().getColumnName(i), rows.getString(i));
      }
      assertThat(rows.next()).isFalse();
    }
    return row;
  }

  /** Fills every column of the only job but those that a settle looks at. */
  private void fill() throws SQLException {
    Map<String, String> types = columns("job");
    types.keySet().removeAll(Set.of("id", "version", "attempt", "cancel_requested"));
    String values =
        types.entrySet().stream()
            .map(type -> type.getKey() + " = " + requireNonNull(SAMPLES.get(type.getValue())))
            .collect(Collectors.joining(", "));
    bench.execute("update ebb.job set " + values);
  }

  /** The columns of both rows whose values differ. */
  private static Set<String> changed(
      Map<String, @Nullable String> before, Map<String, @Nullable String> after) {
    Set<String> changed = new TreeSet<>(before.keySet());
    changed.retainAll(after.keySet());
    changed.removeIf(column -> Objects.equals(before.get(column), after.get(column)));
    return changed;
  }

  @Test
  void every_column_of_a_job_is_one_of_a_dead_letter_unless_it_is_named_here() throws SQLException {
    Set<String> missing = columns("job").keySet();
    missing.removeAll(columns("dead_letter").keySet());

    assertThat(missing).isEqualTo(OF_LIVE_JOBS);
  }

  @Test
  void every_other_column_is_kept_in_the_dead_letter_and_after_a_redrive() throws SQLException {
    UUID id = bench.submitOne();
    ClaimedJob claimed = bench.claimOne();
    fill();
    Map<String, @Nullable String> job = onlyRow("job");
    assertThat(job).doesNotContainValue(null);

    bench.deadLetter(claimed);
    Map<String, @Nullable String> dead = onlyRow("dead_letter");
    bench.changes.act(id, new JobAction.Redrive(false, true), Bench.ACT);
    Map<String, @Nullable String> back = onlyRow("job");

    assertThat(changed(job, dead)).isEqualTo(WRITTEN_BY_DEATH);
    assertThat(changed(dead, back)).isEqualTo(WRITTEN_BY_REDRIVE);
  }

  @Test
  void control_a_column_that_no_statement_moves_is_noticed() throws SQLException {
    bench.execute("alter table ebb.job add column forgotten text");
    bench.execute("alter table ebb.dead_letter add column forgotten text");
    bench.submitOne();
    ClaimedJob claimed = bench.claimOne();
    fill();
    Map<String, @Nullable String> job = onlyRow("job");

    bench.deadLetter(claimed);

    assertThat(changed(job, onlyRow("dead_letter"))).contains("forgotten");
  }
}
