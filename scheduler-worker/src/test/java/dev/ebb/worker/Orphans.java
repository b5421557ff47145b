package dev.ebb.worker;

import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The jobs that killed nodes held, and how long it took until each was claimed again. A claim
 * counts whatever comes after it: the next node may be killed as well before it calls anybody.
 */
final class Orphans {
  private static final String TABLES =
      """
      create table disturbance (at timestamptz default clock_timestamp(), what text);
      create table orphan (at timestamptz default clock_timestamp(), job uuid)
      """;

  private static final String NOTE = "insert into disturbance (what) values (?)";

  private static final String KEEP =
      """
      insert into orphan (at, job)
      select clock_timestamp() - ? * interval '1 microsecond', j.id
      from ebb.lease l
      cross join unnest(l.job_ids, l.versions) as named (id, version)
      join ebb.job j on j.id = named.id and j.version = named.version
      where l.node = ?
      """;

  private static final String RECOVERIES =
      """
      with attempt as (
        select job_id, started_at, ended_at, node, coalesce(failure_reason, outcome) as how
        from ebb.attempt
        union all
        select id, started_at, ended_at, node, 'completed'
        from ebb.history
      ), recovery as (
        select o.job, extract(epoch from min(a.started_at) - o.at) * 1000 as millis
        from orphan o
        join attempt a on a.job_id = o.job and a.started_at > o.at
        group by o.job, o.at
      )
      """;

  private static final String PERCENTILE_99 =
      RECOVERIES
          + "select percentile_disc(0.99) within group (order by millis)::bigint from recovery";

  private static final String COUNT = "select count(*) from orphan";

  private static final String SLOWEST =
      RECOVERIES
          + """
          , slowest as (
            select job, millis from recovery order by millis desc limit 1
          )
          select job || ', ' || millis || ' ms' || e'\\n' || string_agg(at || ' ' || what, e'\\n' order by at)
          from (
            select at, what from disturbance
            union all
            select a.started_at, 'claimed by ' || a.node || ' until ' || a.ended_at || ', ' || a.how
            from attempt a
            join slowest s on s.job = a.job_id
          ) told
          cross join slowest
          group by job, millis
          """;

  private final DatabaseConfig config;

  Orphans(DatabaseConfig config) {
    this.config = config;
  }

  void open() throws SQLException {
    try (Connection connection = TestPostgres.connect(config)) {
      connection.createStatement().execute(TABLES);
    }
  }

  /** Remembers what was done, for the slowest's story. */
  void note(String what) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        PreparedStatement statement = connection.prepareStatement(NOTE)) {
      statement.setString(1, what);
      statement.executeUpdate();
    }
  }

  /** Remembers what the node that was killed at that time of the monotonic clock held. */
  void killed(String node, long killedNanos) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        PreparedStatement statement = connection.prepareStatement(KEEP)) {
      statement.setLong(1, (System.nanoTime() - killedNanos) / 1_000);
      statement.setString(2, node);
      statement.executeUpdate();
    }
    note("killed " + node);
  }

  int count() throws SQLException {
    return Integer.parseInt(read(COUNT));
  }

  /** From a kill until a job was claimed again, 99th percentile, in milliseconds. */
  long recoveryMillis() throws SQLException {
    return Long.parseLong(read(PERCENTILE_99));
  }

  /** What happened around the job that it took longest for. */
  String slowest() throws SQLException {
    return read(SLOWEST);
  }

  private String read(String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      return row.next() && row.getString(1) != null ? row.getString(1) : "0";
    }
  }
}
