package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationState;
import dev.ebb.db.Await;
import dev.ebb.db.Judged;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.operation.Operations;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How a node learns of operations. */
class OperatorTest {
  private static final int MANY = 5;

  @Test
  void a_node_begins_with_an_operation_when_it_is_told_and_not_at_its_next_look() throws Exception {
    try (WorkerBench bench = new WorkerBench();
        Notifier notifier = bench.notifier()) {
      Operations operations = new Operations(bench.database);
      bench.start(_ -> Outcome.completed());
      complete(operations, notifier);

      Duration looks = Duration.ofSeconds(5).multipliedBy(MANY);
      int completed =
          Judged.within(
              looks.dividedBy(2),
              "operations begin when the node is told",
              bench.config,
              () -> {
                for (int i = 0; i < MANY; i++) {
                  complete(operations, notifier);
                }
                return MANY;
              });

      assertThat(completed).isEqualTo(MANY);
    }
  }

  /** A notification may be lost, above all before the node listens. */
  private static void complete(Operations operations, Notifier notifier) throws Exception {
    UUID id = start(operations);
    Await.until(
        "the operation ends",
        () -> {
          notifier.operationStarted();
          return operations.find(id).orElseThrow().state() == OperationState.COMPLETED;
        });
  }

  private static UUID start(Operations operations) throws SQLException {
    return WorkerBench.startOnAll(operations, new JobAction.Redrive(true, true), 0);
  }
}
