package dev.ebb.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.operation.OperationView;
import dev.ebb.db.operation.Operations;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DemoRedriveTest {
  private static final String DIE =
      """
      insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
        created_at, died_at, version, attempt, max_attempts, priority, queue, kind, payload)
      select uuidv7(), 'max_attempts', 'http_500', 'no', now(), 'n', now(), now(), now(), 3, 3, 3, 5,
        'refunds', 'http', '{}'
      from generate_series(1, 3)
      """;

  private final Bench bench = new Bench();
  private final Operations operations = new Operations(bench.database);

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void refunds_that_died_are_redriven_by_stages_once() throws SQLException {
    DemoRedrive redrive = new DemoRedrive(bench.database);

    redrive.begin();
    assertThat(operations.page(null, 9)).isEmpty();
    bench.execute(DIE);
    redrive.begin();
    redrive.begin();

    List<OperationView> begun = operations.page(null, 9);
    assertThat(begun).hasSize(1);
    assertThat(begun.getFirst().plan().stages()).containsExactly(1, 10);
    assertThat(begun.getFirst().act().reason()).isNotNull();
  }
}
