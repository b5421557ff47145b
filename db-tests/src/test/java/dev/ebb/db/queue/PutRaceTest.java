package dev.ebb.db.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two that write the settings of one queue at a time. */
class PutRaceTest {
  private static final String TWO_THAT_WAIT =
      """
      (
        select
        from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
        offset 1
      ) waiting
      """;

  private Bench bench;
  private Queues queues;

  @BeforeEach
  void start() {
    bench = new Bench();
    queues = new Queues(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static final class Stale extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;
  }

  /** Lets the settings be written only as long as they are these. */
  private static Consumer<Optional<QueueView>> still(Optional<QueueView> seen) {
    return now -> {
      if (!now.equals(seen)) {
        throw new Stale();
      }
    };
  }

  /** Answers whether it was let through. */
  private CompletableFuture<Boolean> put(int most, Consumer<Optional<QueueView>> condition) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            QueueSettings settings = new QueueSettings(false, null, null, most);
            queues.put("q", settings, true, Bench.ACT, condition);
            return true;
          } catch (Stale refused) {
            return false;
          } catch (SQLException e) {
            throw new CompletionException(e);
          }
        },
        Thread::startVirtualThread);
  }

  /** Lets two go at the same instant, and answers which of them were let through. */
  private List<Boolean> putTwo(String lock, Consumer<Optional<QueueView>> condition)
      throws Exception {
    List<CompletableFuture<Boolean>> puts = new ArrayList<>();
    try (Connection blocker = TestPostgres.connect(bench.config);
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute(lock);
      puts.add(put(1, condition));
      puts.add(put(2, condition));
      bench.awaitRow(TWO_THAT_WAIT, Duration.ofMinutes(1));
      blocker.rollback();
    }
    List<Boolean> letThrough = new ArrayList<>();
    for (CompletableFuture<Boolean> put : puts) {
      letThrough.add(put.get(1, TimeUnit.MINUTES));
    }
    return letThrough;
  }

  private List<Boolean> replaceTwo(Consumer<Optional<QueueView>> condition) throws Exception {
    return putTwo("select from ebb.queue where name = 'q' for update", condition);
  }

  private void assertThatOneWins(List<Boolean> letThrough) throws SQLException {
    assertThat(letThrough).containsExactlyInAnyOrder(true, false);
    assertThat(queues.find("q").orElseThrow().settings().maxConcurrency())
        .isEqualTo(1 + letThrough.indexOf(true));
  }

  private long audited() throws SQLException {
    return bench.count("ebb.audit where action = 'queue.put'");
  }

  @Test
  void of_two_that_replace_the_same_settings_one_is_refused() throws Exception {
    queues.put("q", QueueSettings.of(false, null), true, Bench.ACT);

    assertThatOneWins(replaceTwo(still(queues.find("q"))));

    assertThat(audited()).isEqualTo(2);
  }

  @Test
  void of_two_that_create_the_same_queue_one_is_refused() throws Exception {
    assertThatOneWins(putTwo("insert into ebb.queue (name) values ('q')", still(Optional.empty())));

    assertThat(audited()).isEqualTo(1);
  }

  @Test
  void control_a_condition_that_is_judged_without_the_lock_lets_both_through() throws Exception {
    queues.put("q", QueueSettings.of(false, null), true, Bench.ACT);
    Consumer<Optional<QueueView>> condition = still(queues.find("q"));
    Optional<QueueView> readBefore = queues.find("q");

    assertThat(replaceTwo(_ -> condition.accept(readBefore))).containsExactly(true, true);
  }
}
