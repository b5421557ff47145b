package dev.ebb.db.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.connection.Statements;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ordering keys, from the submit on and wherever their jobs go. */
class OrderingKeyTest {
  private Bench bench;

  @BeforeEach
  void open() throws SQLException {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void jobs_of_a_batch_have_the_order_in_which_they_were_given() throws SQLException {
    List<NewJob> jobs =
        List.of(job("a", "z"), job("a", "m"), job(null, "n"), job("b", "b"), job("a", "a"));

    bench.jobs.submit(new Submission(jobs, Set.of(), null));

    assertThat(inOrder()).containsExactly("z", "m", "b", "a");
  }

  @Test
  void jobs_without_a_key_draw_no_number() throws SQLException {
    bench.submit(job(null, "plain"));

    assertThat(bench.count("ebb.job where num_nonnulls(ordering_key, ordering_number) = 0"))
        .isOne();
    assertThat(bench.count("ebb.ordering_number where is_called")).isZero();
  }

  @Test
  void redriven_jobs_go_to_the_end_of_their_key_in_the_order_of_their_submits()
      throws SQLException {
    UUID first = bench.submit(job("a", "z"));
    UUID second = bench.submit(job("a", "y"));
    bench.submit(job("a", "x"));
    bench.execute(
        """
        with dead as (delete from ebb.job where unique_key > 'x' returning *)
        insert into ebb.dead_letter (
          id, queue, kind, priority, created_at, unique_key, ordering_key, max_attempts, payload,
          run_at, version, attempt, reason, failure_reason, failure, started_at, node)
        select
          id, queue, kind, priority, created_at, unique_key, ordering_key, max_attempts, payload,
          run_at, version + 1, 1, 'fatal', 'f', 'f', now(), 'n'
        from dead
        """);

    bench.changes.act(second, new JobAction.Redrive(false, true), Bench.ACT);
    bench.changes.act(first, new JobAction.Redrive(false, true), Bench.ACT);

    assertThat(inOrder()).containsExactly("x", "y", "z");
    assertThat(bench.reads.find(first).orElseThrow().orderingKey()).isEqualTo("a");
  }

  @Test
  void the_key_goes_with_the_job_to_the_history() throws SQLException {
    UUID id = bench.submit(job("a", "only"));

    bench.changes.act(id, new JobAction.Cancel(), Bench.ACT);

    assertThat(bench.reads.find(id).orElseThrow().orderingKey()).isEqualTo("a");
  }

  private static NewJob job(@Nullable String orderingKey, String uniqueKey) {
    return NewJob.builder("echo", "{}").uniqueKey(uniqueKey).orderingKey(orderingKey).build();
  }

  private List<String> inOrder() throws SQLException {
    return bench.database.inAutocommit(connection ->
        Statements.list(
            connection,
            """
            select unique_key
            from ebb.job
            where ordering_key is not null
            order by ordering_number
            """,
            _ -> {},
            row -> row.getString(1)));
  }
}
