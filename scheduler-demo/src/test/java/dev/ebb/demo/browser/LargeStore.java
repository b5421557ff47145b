package dev.ebb.demo.browser;

import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A store of two weeks: jobs that ended on each of the last days, parked ones and dead letters, all
 * with a unique key and the labels order and merchant. Orders are numbered from one over all of
 * them.
 */
final class LargeStore {
  /** Days on which jobs ended; the last one is yesterday. */
  static final int DAYS = 13;

  /** Each has as many jobs as the others. */
  static final int MERCHANTS = 2_000;

  /** A merchant with few jobs, spread over all of the store. */
  static final String SMALL = "bikes-ghent";

  private static final int FEW = 400;

  // As the trigger of a new job does for each row, for all of them.
  private static final String TERMS =
      """
      insert into ebb.term (term, id)
      select t.term, j.id
      from ebb.%1$s j
      cross join lateral ebb.terms(j.unique_key, j.labels) t (term)
      """;

  private final int ended;
  private final int parked;
  private final int dead;

  LargeStore(int ended, int parked, int dead) {
    this.ended = ended;
    this.parked = parked;
    this.dead = dead;
  }

  /** An order of that many days ago. */
  int orderOf(int daysAgo) {
    return (DAYS - daysAgo) * perDay() + perDay() / 2;
  }

  private int perDay() {
    return ended / DAYS;
  }

  int firstParked() {
    return perDay() * DAYS + 1;
  }

  int firstDead() {
    return firstParked() + parked;
  }

  int last() {
    return firstDead() + dead - 1;
  }

  /** Fills a database in which one job was delivered: the ended ones were delivered like it. */
  void fill(DatabaseConfig config) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute("set synchronous_commit = off");
      statement.execute("set session_replication_role = replica");
      statement.execute("set maintenance_work_mem = '512MB'");
      statement.execute("create temp table delivered as select detail from ebb.history limit 1");
      for (int daysAgo = DAYS; daysAgo > 0; daysAgo--) {
        statement.execute(day(daysAgo));
      }
      statement.execute(parked());
      statement.execute(TERMS.formatted("job"));
      statement.execute(dead());
      statement.execute(TERMS.formatted("dead_letter"));
      statement.execute("vacuum (analyze)");
    }
  }

  // Bounds as make_partitions gives them. The indexes are built when the day is attached.
  private String day(int daysAgo) {
    LocalDate date = LocalDate.now(ZoneOffset.UTC).minusDays(daysAgo);
    int first = (DAYS - daysAgo) * perDay() + 1;
    return """
    create table ebb.history_%1$s (like ebb.history including defaults including constraints);
    create table ebb.term_%1$s (like ebb.term including defaults including constraints);

    insert into ebb.history_%1$s (ended_at, id, run_at, created_at, started_at, attempt,
      max_attempts, priority, cancelled, queue, kind, node, unique_key, labels, detail)
    select
      t.at + interval '2 seconds', uuidv7(t.at - clock_timestamp()), t.at, t.at,
      t.at + interval '1 second', 1, 8, 5, false, 'orders', 'http', 'a-node', 'order-' || n,
      jsonb_build_object('order', n::text, 'merchant', %5$s),
      (select detail from delivered)
    from generate_series(%3$s, %4$s) n
    cross join lateral (
      select
        '%2$s 00:00:00+00'::timestamptz
          + (n - %3$s) * interval '86000 seconds' / (%4$s - %3$s + 1) as at
      offset 0) t;

    insert into ebb.term_%1$s (term, id)
    select t.term, h.id
    from ebb.history_%1$s h
    cross join lateral (
      values
        (ebb.term('key', h.unique_key)),
        (ebb.term('label', 'order=' || (h.labels ->> 'order'))),
        (ebb.term('label', 'merchant=' || (h.labels ->> 'merchant')))) t (term);

    alter table ebb.history attach partition ebb.history_%1$s
      for values from ('%2$s 00:00:00+00') to ('%2$s 24:00:00+00');
    alter table ebb.term attach partition ebb.term_%1$s
      for values from (ebb.first_id('%2$s 00:00:00+00')) to (ebb.first_id('%2$s 24:00:00+00'));
    """
        .formatted(
            date.format(DateTimeFormatter.BASIC_ISO_DATE),
            date,
            first,
            first + perDay() - 1,
            merchant());
  }

  private String parked() {
    return """
    insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload,
      unique_key, labels)
    select
      now() + interval '10 days', 0, 8, 5, 'orders', 'http',
      '{"url":"http://127.0.0.1:1/orders","body":{}}', 'order-' || n,
      jsonb_build_object('order', n::text, 'merchant', %3$s)
    from generate_series(%1$s, %2$s) n
    """
        .formatted(firstParked(), firstDead() - 1, merchant());
  }

  private String dead() {
    return """
    insert into ebb.dead_letter (id, died_at, reason, failure_reason, failure, started_at, node,
      run_at, created_at, version, attempt, max_attempts, priority, queue, kind, payload,
      unique_key, labels)
    select
      uuidv7(t.at - clock_timestamp()), t.at, 'attempts_used_up', 'http_500',
      'the destination answered 500', t.at, 'a-node', t.at, t.at, 1, 8, 8, 5, 'orders', 'http',
      '{"url":"http://127.0.0.1:1/orders","body":{}}', 'order-' || n,
      jsonb_build_object('order', n::text, 'merchant', %3$s)
    from generate_series(%1$s, %2$s) n
    cross join lateral (
      select date_trunc('day', now()) - interval '1 day'
        + (n - %1$s) * interval '80000 seconds' / (%2$s - %1$s + 1) as at
      offset 0) t
    """
        .formatted(firstDead(), last(), merchant());
  }

  /** How many jobs the merchant {@link #SMALL} has. */
  int few() {
    return last() / (last() / FEW);
  }

  /** The merchant of the order {@code n}, in SQL. */
  private String merchant() {
    return "case when n %% %s = 0 then '%s' else 'merchant-' || n %% %s end"
        .formatted(last() / FEW, SMALL, MERCHANTS);
  }
}
