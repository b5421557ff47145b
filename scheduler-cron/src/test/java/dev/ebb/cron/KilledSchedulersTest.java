package dev.ebb.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Proof;
import dev.ebb.db.Vital;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Eight processes that all believe that they fire, one of which is killed each second. The same
 * kills again by the printed seed and {@code -Debb.seed}.
 */
@Proof
class KilledSchedulersTest {
  private static final long SEED = Long.getLong("ebb.seed", System.nanoTime());
  private static final int NODES = 8;
  private static final int KILLS = 20;
  private static final int SCHEDULES = 10;

  private static final String CAUGHT_UP =
      "not exists (select from ebb.schedule where next_fire_at < now() - interval '1 second')";

  private final CronBench cron = new CronBench();
  private FiringCluster cluster;
  private FireCheck check;

  /** Of the schedules, half fire each second and have stood for five minutes. */
  @BeforeEach
  void open() throws Exception {
    cluster = new FiringCluster(cron.bench.config);
    for (int i = 0; i < SCHEDULES; i++) {
      cron.putDue(CronBench.every("stood-" + i, Duration.ofSeconds(1)), "5 minutes");
      cron.put(CronBench.every("new-" + i, Duration.ofSeconds(2)));
    }
    check = new FireCheck(cron.bench);
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
    cron.close();
  }

  @Vital
  @Test
  void each_fire_of_nodes_that_are_killed_makes_one_job_and_none_is_missing() throws Exception {
    start(NODES);
    awaitAllFire();
    cron.bench.execute("create table public.begun as select clock_timestamp() as at");
    killEachSecond();
    cron.await(CAUGHT_UP);
    cluster.stop();

    FireCheck.Findings found = check.findings();
    System.out.println(KILLS + " kills, seed " + SEED + ": " + found + lateness());
    assertThat(found.isSound()).as(found.toString()).isTrue();
    assertThat(found.jobs()).isEqualTo(found.marks()).isGreaterThan(SCHEDULES * 60L);
    assertThat(found.missed()).as("of the five minutes").isGreaterThan(SCHEDULES * 230L);
    assertThat(cron.number("count(distinct node) from ebb.schedule_fire"))
        .as("nodes that fired")
        .isGreaterThanOrEqualTo(KILLS / 2);
  }

  @Test
  void control_without_the_key_of_the_marks_some_fires_make_two() throws Exception {
    cron.bench.execute("alter table ebb.schedule_fire drop constraint schedule_fire_pkey");
    start(3);

    cron.await("count(*) > count(distinct (schedule, fire_at)) from ebb.schedule_fire");
    cluster.stop();

    FireCheck.Findings found = check.findings();
    System.out.println("without the key: " + found);
    assertThat(found.markedTwice()).isPositive();
    assertThat(found.madeTwice()).isPositive();
  }

  private void start(int nodes) throws Exception {
    for (int i = 0; i < nodes; i++) {
      cluster.start();
    }
    cron.await("exists (select from ebb.schedule_fire)");
  }

  private void awaitAllFire() {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!cluster.allFire()) {
      assertThat(System.nanoTime()).as("all nodes fire").isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  /**
   * Kills a node and starts another; half of them within the first moments of a second, when all
   * nodes fire. Every second victim is the node that fired last, the others are drawn.
   */
  private void killEachSecond() throws Exception {
    Random random = new Random(SEED);
    int kills = 0;
    while (kills < KILLS) {
      int millis = random.nextInt(random.nextBoolean() ? 60 : 1_000);
      LockSupport.parkNanos(FiringNode.untilNextSecond().plusMillis(millis).toNanos());
      kills += cluster.replace(kills % 2 == 0 ? lastToFire() : drawn(random)) ? 1 : 0;
    }
  }

  private String lastToFire() throws SQLException {
    return cron.text("node from ebb.schedule_fire order by fired_at desc limit 1");
  }

  private String drawn(Random random) throws SQLException {
    List<String> nodes = cluster.firing();
    return nodes.isEmpty() ? lastToFire() : nodes.get(random.nextInt(nodes.size()));
  }

  private String lateness() throws SQLException {
    return ", late by ms: p50 %s, p99 %s, at most %s"
        .formatted(lateMillis(0.5), lateMillis(0.99), lateMillis(1));
  }

  /** Of the fires that came after the first kill. */
  private long lateMillis(double share) throws SQLException {
    return cron.number(
        """
        1000 * extract(epoch from percentile_disc(%s) within group (order by fired_at - fire_at))
        from ebb.schedule_fire
        where fire_at > (select at from public.begun)
        """
            .formatted(share));
  }
}
