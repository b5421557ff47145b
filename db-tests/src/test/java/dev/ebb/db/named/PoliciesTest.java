package dev.ebb.db.named;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PoliciesTest {
  private static final RetryPolicy SIP = Presets.policy("sip");
  private static final RetryPolicy WECHAT = Presets.policy("wechat");
  private static final QueueSettings FOLLOWER =
      new QueueSettings(false, null, "p", null, null, null, null, Map.of());
  private static final String ONE_THAT_WAITS =
      "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

  private Bench bench;
  private Policies policies;
  private Queues queues;

  @BeforeEach
  void start() {
    bench = new Bench();
    policies = new Policies(bench.database);
    queues = new Queues(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void put(RetryPolicy policy) throws SQLException {
    policies.put("p", policy, Bench.ACT, _ -> {});
  }

  @Test
  void a_queues_jobs_are_claimed_with_what_its_policy_is_then_and_others_with_their_own()
      throws SQLException {
    put(SIP);
    queues.put(Bench.QUEUE, FOLLOWER, true, Bench.ACT);
    bench.submitOne();
    put(WECHAT);

    assertThat(bench.claimOne().job().policy()).isEqualTo(WECHAT);
    assertThat(queues.find(Bench.QUEUE).orElseThrow().settings().policyName()).isEqualTo("p");
  }

  @Test
  void a_policy_goes_as_soon_as_no_queue_follows_it() throws SQLException {
    put(SIP);
    queues.put(Bench.QUEUE, FOLLOWER, true, Bench.ACT);

    assertThat(policies.remove("p", Bench.ACT, _ -> {}).followers()).containsExactly(Bench.QUEUE);
    queues.remove(Bench.QUEUE, Bench.ACT, _ -> {});

    assertThat(policies.remove("p", Bench.ACT, _ -> {}).followers()).isEmpty();
    assertThat(policies.find("p")).isEmpty();
    assertThat(policies.remove("p", Bench.ACT, _ -> {}).existed()).isFalse();
    assertThatThrownBy(() -> queues.put(Bench.QUEUE, FOLLOWER, true, Bench.ACT))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void no_more_than_a_thousand_are_stored() throws SQLException {
    bench.execute(
        "insert into ebb.policy (name, policy) select 'n' || i, '{}' from generate_series(1, 1000)"
            + " i");

    assertThatThrownBy(() -> put(SIP)).isInstanceOf(InvalidInput.class);
    assertThat(policies.all()).hasSize(NamedTable.MOST);
    policies.put("n7", SIP, Bench.ACT, _ -> {});
    assertThat(policies.find("n7").orElseThrow().settings()).isEqualTo(SIP);
  }

  /** Starts it behind a transaction that has replaced the policy, and ends that. */
  private <T> T behindAReplacement(Callable<T> action) throws Exception {
    CompletableFuture<T> done;
    try (Connection first = TestPostgres.connect(bench.config);
        Statement statement = first.createStatement()) {
      first.setAutoCommit(false);
      statement.execute(
          "update ebb.policy set policy = '{\"jitter\":\"slots\",\"slot\":\"PT1S\"}'");
      done =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return action.call();
                } catch (Exception e) {
                  throw new CompletionException(e);
                }
              },
              Thread::startVirtualThread);
      bench.awaitRow(ONE_THAT_WAITS, Duration.ofMinutes(1));
      first.commit();
    }
    return done.get(1, TimeUnit.MINUTES);
  }

  @Test
  void a_queue_that_begins_to_follow_while_the_policy_is_replaced_gets_the_new_one()
      throws Exception {
    put(SIP);

    behindAReplacement(() -> queues.put(Bench.QUEUE, FOLLOWER, true, Bench.ACT));

    assertThat(queues.find(Bench.QUEUE).orElseThrow().settings().policy())
        .isEqualTo(policies.find("p").orElseThrow().settings())
        .isNotEqualTo(SIP);
  }

  @Test
  void a_policy_is_not_replaced_between_a_queues_reading_and_its_commit() throws Exception {
    put(SIP);
    try (Connection queue = TestPostgres.connect(bench.config);
        Statement statement = queue.createStatement()) {
      queue.setAutoCommit(false);
      assertThat(Policies.followed(queue, "p")).isEqualTo(SIP);
      statement.execute(
          "insert into ebb.queue (name, policy, policy_name)"
              + " select 'default', policy, name from ebb.policy");
      CompletableFuture<Void> replaced =
          CompletableFuture.runAsync(
              () -> {
                try {
                  put(WECHAT);
                } catch (SQLException e) {
                  throw new CompletionException(e);
                }
              },
              Thread::startVirtualThread);
      bench.awaitRow(ONE_THAT_WAITS, Duration.ofMinutes(1));
      queue.commit();
      replaced.get(1, TimeUnit.MINUTES);
    }

    assertThat(queues.find(Bench.QUEUE).orElseThrow().settings().policy()).isEqualTo(WECHAT);
  }
}
