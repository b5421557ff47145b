package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationState;
import dev.ebb.db.Await;
import dev.ebb.db.Grants;
import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.operation.OperationItem;
import dev.ebb.db.operation.OperationView;
import dev.ebb.db.operation.Operations;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * A redrive of 100,000 dead letters, carried out by a process that is killed again and again, into
 * a queue whose rate warms up.
 */
@Proof
class OperationKillTest {
  private static final int DEAD = 100_000;
  private static final int KILLS = 5;
  private static final int PAGE = 10_000;
  private static final double SECONDS = 30;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** What comes back is noted, so that a job that came back twice is seen. */
  private static final String NOTE_REDRIVES =
      """
      create table public.redriven (id uuid);
      create function public.note_redrive() returns trigger language plpgsql as $$
        begin
          insert into public.redriven values (new.id);
          return null;
        end
      $$;
      create trigger note_redrive after insert on ebb.job
      for each row when (new.redriven_at is not null) execute function public.note_redrive();
      """;

  private static final String DIE =
      """
      insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
        created_at, died_at, version, attempt, max_attempts, priority, queue, kind, payload)
      select uuidv7(), 'max_attempts', 'http_500', 'no', now(), 'n', now(), now(), now(), 3, 3, 3, 5,
        'default', '%s', '{}'
      from generate_series(1, %s)
      """
          .formatted(WorkerBench.KIND, DEAD);

  /** The queue has just run at its full rate: only a restart makes it cold. */
  private static final String WARM =
      """
      insert into ebb.limiter (queue, coldness, next_free_at) values ('default', 0, now())
      on conflict (queue) do update set coldness = 0, next_free_at = now()
      """;

  /** Claims only warm it, and the time between two of them is too short to make it cold. */
  private static final String NOTE_RESTARTS =
      """
      create table public.restarted (queue text);
      create function public.note_restart() returns trigger language plpgsql as $$
        begin
          insert into public.restarted values (new.queue);
          return null;
        end
      $$;
      create trigger note_restart after update on ebb.limiter
      for each row when (new.coldness = 1) execute function public.note_restart();
      """;

  private static final String EVERYWHERE =
      """
      (
        select id from ebb.job where queue = 'default'
        union all
        select id from ebb.history where queue = 'default'
        union all
        select id from ebb.dead_letter
      ) job
      """;

  @Test
  void every_dead_letter_is_redriven_once_and_the_calls_follow_the_ramp() throws Exception {
    Judged.holds(
        "the ramp of an operation whose node is killed",
        TestPostgres.shared().config("postgres"),
        _ -> {
          try (Ramp ramp = Ramp.empty()) {
            UUID operation = redrive(ramp);
            assertEachOnce(ramp, operation);
            ramp.grants.assertNotAbove();
            return Judged.missed(() -> assertRamp(ramp));
          }
        });
  }

  private static UUID redrive(Ramp ramp) throws Exception {
    Operations operations = new Operations(ramp.bench.database);
    Cluster.Member node = ramp.startWarm(1).getFirst();
    List<Cluster.Member> successors = ramp.prepare(KILLS);
    ramp.bench.execute(NOTE_REDRIVES);
    ramp.bench.execute(DIE);
    ramp.bench.execute("vacuum analyze ebb.dead_letter");
    ramp.open();
    ramp.bench.execute(WARM);
    ramp.bench.execute(NOTE_RESTARTS);
    long start = System.nanoTime();
    UUID operation = start(operations);
    for (int kill = 1; kill <= KILLS; kill++) {
      awaitDone(operations, operation, kill * DEAD / (KILLS + 1));
      ramp.cluster.kill(node);
      assertThat(view(operations, operation).state()).isEqualTo(OperationState.RUNNING);
      node = successors.get(kill - 1);
      node.begin();
    }
    Await.until(
        "the operation ends",
        PATIENCE,
        () -> view(operations, operation).state() == OperationState.COMPLETED);
    System.out.printf(
        "redrove %s dead letters in %.1f s, with %s kills%n",
        DEAD, (System.nanoTime() - start) / 1e9, KILLS);
    ramp.awaitSeconds(SECONDS);
    return operation;
  }

  private static UUID start(Operations operations) throws SQLException {
    return WorkerBench.startOnAll(operations, new JobAction.Redrive(true, true), DEAD);
  }

  private static OperationView view(Operations operations, UUID id) throws SQLException {
    return operations.find(id).orElseThrow();
  }

  private static void awaitDone(Operations operations, UUID id, int done) throws Exception {
    Await.until(done + " are done", PATIENCE, () -> view(operations, id).counts().done() >= done);
  }

  private static void assertEachOnce(Ramp ramp, UUID id) throws SQLException {
    Operations operations = new Operations(ramp.bench.database);
    assertThat(ramp.bench.count("public.redriven")).as("redriven").isEqualTo(DEAD);
    assertThat(ramp.bench.count("(select distinct id from public.redriven) r")).isEqualTo(DEAD);
    assertThat(ramp.bench.count(EVERYWHERE)).as("none is lost").isEqualTo(DEAD);
    assertThat(ramp.bench.count("ebb.dead_letter")).isZero();
    assertThat(ramp.bench.count("public.restarted")).as("warm-ups").isOne();
    assertThat(view(operations, id).counts()).isEqualTo(new OperationView.Counts(DEAD, 0, 0, 0));
    Set<UUID> reported = new HashSet<>();
    UUID last = null;
    for (List<OperationItem> page = operations.report(id, last, PAGE);
        !page.isEmpty();
        page = operations.report(id, last, PAGE)) {
      assertThat(page).allMatch(item -> "done".equals(item.result()));
      page.forEach(item -> reported.add(item.job()));
      last = page.getLast().job();
    }
    assertThat(reported).as("in the report").hasSize(DEAD);
    assertThat(ramp.bench.count("ebb.audit where action = 'operation.complete'")).isOne();
  }

  /**
   * Between two processes nothing is called, and a busy machine loses permits: so what was claimed
   * is held against what full demand gets at the same instants. It arrives, but for what each kill
   * took with it.
   */
  private static void assertRamp(Ramp ramp) throws SQLException {
    List<Grants.Granted> granted = ramp.grants.soFar();
    List<Double> arrivals = ramp.arrivals();
    Ramp.assertNotAbove(arrivals);
    FullDemand.assertClaimed(granted, KILLS + 1);
    double claimed = granted.stream().mapToInt(Grants.Granted::permits).sum();
    double share = arrivals.size() / Ramp.dueFromCold(arrivals.getLast());
    System.out.printf(
        "%s calls in %.1f s of %.0f claimed, %.2f of the curve without a gap%n",
        arrivals.size(), arrivals.getLast(), claimed, share);
    assertThat((double) arrivals.size()).isCloseTo(claimed, within(2 * Ramp.BURST * (KILLS + 1)));
  }
}
