package dev.ebb.db.poll;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimAnswer;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.node.NodeFacts;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases and rows of workers that poll, beside others that write the same. */
class PolledLeasesTest {
  private static final String HOLDER = "token";
  private static final String LIVES =
      "ebb.node where name = 'worker' and heartbeat_at > now() - interval '10 seconds'";

  private Bench bench;
  private PolledLeases leases;
  private PolledSettle settling;
  private Pollers pollers;

  @BeforeEach
  void open() {
    bench = new Bench();
    leases = new PolledLeases(bench.database);
    settling = new PolledSettle(bench.database, ThreadLocalRandom::current);
    pollers = new Pollers(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private PolledLease polled() throws SQLException {
    bench.submitOne();
    ClaimRequest request =
        new ClaimRequest(
            "worker",
            List.of("echo"),
            Bench.LEASE,
            Bench.LEASE,
            new LinkedHashMap<>(Map.of(Bench.QUEUE, 1)),
            new ClaimRequest.Poll(HOLDER, "r"));
    Map<String, ClaimAnswer> claimed =
        new PollWork(bench.database).claimer().claim(request, List.of(), Bench.PATIENT);
    return found(requireNonNull(claimed.get(Bench.QUEUE)).lease().orElseThrow().id());
  }

  private PolledLease found(long lease) throws SQLException {
    return leases.find(lease, HOLDER).orElseThrow();
  }

  private Renewal renew(PolledLease lease) throws SQLException {
    return leases.renew("worker", List.of(lease.id()), HOLDER, null);
  }

  private Pollers.Seen seen() throws SQLException {
    NodeFacts worker = new NodeFacts("worker", "1", "", List.of(Bench.QUEUE), List.of("echo"), 1);
    return requireNonNull(
        pollers
            .seen(List.of(new Pollers.Poller(worker, new ClaimRequest.Poll(HOLDER, "r"))))
            .get("worker"));
  }

  @Test
  void what_no_worker_was_told_of_is_given_back() throws SQLException {
    assertThat(settling.giveBack(polled(), HOLDER).written()).hasSize(1);
    assertThat(bench.count("ebb.lease")).isZero();
  }

  @Test
  void what_a_repeated_poll_was_told_of_is_not_given_back_when_the_first_answer_fails()
      throws SQLException {
    PolledLease first = polled();
    renew(first);

    assertThat(settling.giveBack(first, HOLDER).written()).isEmpty();
    assertThat(bench.count("ebb.lease")).isOne();
    assertThat(settling.giveBack(found(first.id()), HOLDER).written())
        .as("the repeat's own answer failed, too")
        .hasSize(1);
  }

  /** Runs while another transaction has written, until that is waited for; then ends it. */
  private <T> T beside(String write, Callable<T> run) throws Exception {
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(write);
      CompletableFuture<T> running =
          CompletableFuture.supplyAsync(() -> {
            try {
              return run.call();
            } catch (Exception e) {
              throw new CompletionException(e);
            }
          });
      bench.awaitEndOrLocks(running, 1);
      connection.commit();
      return running.get(1, TimeUnit.MINUTES);
    }
  }

  @Test
  void a_renewal_waits_for_a_lease_that_is_being_settled() throws Exception {
    PolledLease lease = polled();

    // It waits for half a second, and a machine that stands still for as long is not at fault.
    Await.until(
        "it waited, and renewed",
        () ->
            beside("select from ebb.lease for update", () -> renew(lease))
                .expiresAt()
                .containsKey(lease.id()));
  }

  @Test
  void a_lease_that_a_stranger_keeps_locked_is_not_called_renewed_and_costs_no_other()
      throws Exception {
    PolledLease locked = polled();
    bench.execute("update ebb.lease set request_id = null");
    PolledLease free = polled();
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("select from ebb.lease where id = " + locked.id() + " for update");

      Renewal renewal = leases.renew("worker", List.of(locked.id(), free.id()), HOLDER, null);

      assertThat(renewal.expiresAt()).containsOnlyKeys(free.id());
      assertThat(renewal.locked()).containsExactly(locked.id());
    }
  }

  @Test
  void a_lease_that_expired_and_still_stands_is_told_to_its_repeated_poll() throws SQLException {
    PolledLease lease = polled();
    bench.execute("update ebb.lease set expires_at = now() - interval '1 s'");

    assertThat(seen().lease()).isEqualTo(lease.id());
    assertThat(renew(lease).expiresAt()).containsOnlyKeys(lease.id());
  }

  @Test
  void a_worker_whose_poll_waits_lives_and_nobody_else_says_so() throws SQLException {
    seen();
    bench.execute("update ebb.node set heartbeat_at = now() - interval '20 seconds'");

    pollers.standings(Set.of(new Pollers.Named("worker", "other")));
    assertThat(bench.count(LIVES)).isZero();
    pollers.standings(Set.of(new Pollers.Named("worker", HOLDER)));
    assertThat(bench.count(LIVES)).isOne();
  }

  @Test
  void a_poll_that_meets_a_stop_does_not_undo_it() throws Exception {
    seen();
    bench.execute("update ebb.node set heartbeat_at = now() - interval '20 seconds'");

    beside("update ebb.node set stopped_at = clock_timestamp()", this::seen);

    assertThat(bench.count("ebb.node where stopped_at is not null")).isOne();
    bench.execute("update ebb.node set stopped_at = now() - interval '2 minutes'");
    seen();
    assertThat(bench.count("ebb.node where stopped_at is null")).as("it began anew").isOne();
  }
}
