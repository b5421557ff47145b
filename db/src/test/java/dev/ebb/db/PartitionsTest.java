package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PartitionsTest {
  private static final String DAYS =
      "pg_inherits where inhparent = 'ebb.history'::regclass"
          + " and inhrelid::regclass::text ~ '_[0-9]{8}$'";

  private Bench bench;
  private Partitions partitions;

  @BeforeEach
  void open() {
    bench = new Bench();
    partitions = new Partitions(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void addDay(String parent, int daysAgo) throws SQLException {
    bench.execute(
        """
        do $$
        declare day date := (now() at time zone 'UTC')::date - DAYS_AGO;
        begin
          execute format('create table ebb.PARENT_%s partition of ebb.PARENT for values from (%L) to (%L)',
            to_char(day, 'YYYYMMDD'), day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
        end $$
        """
            .replace("PARENT", parent)
            .replace("DAYS_AGO", Integer.toString(daysAgo)));
  }

  @Test
  void a_migrated_database_has_the_days_of_the_coming_week() throws SQLException {
    assertThat(bench.count(DAYS)).isEqualTo(8);
  }

  @Test
  void days_that_are_over_are_dropped_and_no_others() throws SQLException {
    addDay("history", 15);
    addDay("history", 14);
    addDay("attempt", 16);

    assertThat(partitions.roll(14)).isTrue();

    assertThat(bench.count(DAYS)).isEqualTo(9);
    assertThat(bench.count("pg_inherits where inhparent = 'ebb.attempt'::regclass")).isEqualTo(9);
  }

  @Test
  void a_day_that_nobody_made_in_time_keeps_the_others_from_nothing() throws SQLException {
    bench.execute("drop table ebb.history_" + today());
    bench.complete(claimed());
    addDay("history", 20);

    assertThat(partitions.roll(14)).isTrue();

    assertThat(bench.count("ebb.history_rest")).isOne();
    assertThat(bench.count(DAYS)).isEqualTo(7);
    bench.execute("update ebb.history_rest set ended_at = ended_at - interval '30 days'");
    assertThat(partitions.roll(14)).isTrue();
    assertThat(bench.count("ebb.history")).isZero();
    assertThat(bench.count(DAYS)).isEqualTo(8);
  }

  @Test
  void a_long_read_of_the_history_puts_a_drop_off_and_keeps_no_settle_waiting()
      throws SQLException {
    addDay("history", 20);
    try (Connection reader = TestPostgres.connect(bench.config);
        Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("select count(*) from ebb.history");

      assertThat(partitions.roll(14)).isFalse();
      assertThat(bench.complete(claimed())).isTrue();
      reader.rollback();
    }
    assertThat(partitions.roll(14)).isTrue();
    assertThat(bench.count(DAYS)).isEqualTo(8);
  }

  private Claimed claimed() throws SQLException {
    bench.submitOne();
    return bench.claimOne();
  }

  private String today() throws SQLException {
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select to_char(now() at time zone 'UTC', 'YYYYMMDD')")) {
      row.next();
      return row.getString(1);
    }
  }
}
