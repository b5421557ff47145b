package dev.ebb.demo.browser;

/** Ten thousand jobs that wait, as many that ended and as many dead letters, of many queues. */
final class Crowd {
  static final String QUEUE = "crowd-000";

  private static final String FILL =
      """
      insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
      select now() + i * interval '1 second', i % 7, 12, 5, to_char(i % 120, '"crowd-"FM000'),
        'invoice', '{"order":1}'
      from generate_series(1, 10000) i;
      insert into ebb.history (id, run_at, created_at, started_at, attempt, max_attempts, priority,
        cancelled, queue, kind, labels)
      select uuidv7(), now(), now(), now(), 1, 3, 5, i % 9 = 0, to_char(i % 120, '"crowd-"FM000'),
        'invoice', '{"m":"x"}'
      from generate_series(1, 10000) i;
      insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
        created_at, died_at, version, attempt, max_attempts, priority, queue, kind, payload)
      select uuidv7(), 'attempts_used_up', 'http_5' || to_char(i % 60, 'FM00'),
        'the destination answered, and said ' || repeat('no, ', i % 40) || 'never', now(), 'n',
        now(), now(), now() - (i % 300) * interval '1 hour', 1, 3, 3, 5,
        to_char(i % 120, '"crowd-"FM000'), 'invoice', '{"order":1}'
      from generate_series(1, 10000) i;
      select ebb.recount_queues();
      """;

  private Crowd() {}

  static void fill(Cluster cluster) {
    cluster.execute(FILL);
    cluster.await("select count(*) > 9000 from ebb.dead_letter where error_group is not null");
  }
}
