package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.LimiterState;
import dev.ebb.db.Await;
import dev.ebb.db.Grants;
import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.Vital;
import dev.ebb.db.queue.Limiters;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The cluster's limiter as a merchant sees it: 200 a second after ten seconds, a third when cold.
 */
@Proof
class RampTest {
  /** What was granted early at a window's end and late at its beginning. */
  private static final double TWO_BURSTS = 2 * Ramp.BURST;

  private static final String NODES_THAT_RAN =
      "(select distinct node from ebb.history where queue = 'default') ran";

  /** A scenario on a cluster of its own. */
  @FunctionalInterface
  private interface Scenario {
    void run(Ramp ramp) throws Exception;
  }

  /**
   * A machine that stalls for a tenth of a second loses permits, or lets calls that left in time
   * arrive together. By the database's clock no more than the curve has is granted in any run.
   */
  private static void judged(String what, Scenario scenario) throws Exception {
    Judged.holds(
        what,
        TestPostgres.shared().config("postgres"),
        _ -> {
          try (Ramp ramp = new Ramp(Cluster.Guards.ALL)) {
            Optional<AssertionError> missed = Judged.missed(() -> scenario.run(ramp));
            ramp.grants.assertNotAbove();
            return missed;
          }
        });
  }

  @Vital
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void from_cold_the_calls_of_all_nodes_together_follow_the_curve(int nodes) throws Exception {
    judged(
        "the ramp of " + nodes + " nodes",
        ramp -> {
          ramp.startWarm(nodes);
          assertCallsFollowTheCurve(ramp);
        });
  }

  /** A node alone claims 40 times a second, each time what half a burst window has. */
  @Test
  void eight_nodes_together_claim_at_most_twice_for_each_permit_block() throws Exception {
    judged(
        "the claims of eight nodes",
        ramp -> {
          ramp.startWarm(8);
          ramp.open();
          // By then each knows how many there are.
          ramp.awaitSeconds(12);
          long before = ramp.claims();
          ramp.awaitSeconds(22);
          double perSecond = (ramp.claims() - before) / 10.0;

          System.out.printf("%.1f claims a second of eight nodes%n", perSecond);
          Ramp.assertNotBelow(ramp.arrivals());
          assertThat(perSecond).isBetween(10.0, 80.0);
        });
  }

  private static void assertCallsFollowTheCurve(Ramp ramp) throws Exception {
    ramp.open();
    ramp.awaitSeconds(12);

    List<Double> arrivals = ramp.arrivals();
    Ramp.assertNotAbove(arrivals);
    Ramp.assertNotBelow(arrivals);
    assertThat(Ramp.worstWindow(arrivals)).isLessThanOrEqualTo(TWO_BURSTS);
  }

  @Test
  void nodes_whose_clocks_are_an_hour_ahead_and_ten_minutes_behind_follow_the_same_curve()
      throws Exception {
    assumeTrue(WrongClock.isAvailable(), "libfaketime is missing: apt-get install libfaketime");
    judged(
        "the ramp of nodes with wrong clocks",
        ramp -> {
          List<Cluster.Member> members = ramp.startWarm("+1h", "-10m", "+0");
          Instant now = members.getLast().clock();
          assertThat(members.get(0).clock()).isAfter(now.plus(Duration.ofMinutes(59)));
          assertThat(members.get(1).clock()).isBefore(now.minus(Duration.ofMinutes(9)));
          assertCallsFollowTheCurve(ramp);
          assertThat(ramp.bench.count(NODES_THAT_RAN)).isEqualTo(3);
        });
  }

  @Vital
  @Test
  void nodes_that_are_killed_take_no_more_permits_than_the_curve_has() throws Exception {
    Random random = new Random(7);
    judged(
        "the ramp of nodes that are killed",
        ramp -> {
          List<Cluster.Member> alive = ramp.startWarm(4);

          ramp.open();
          for (int second = 1; second <= 12; second++) {
            ramp.awaitSeconds(second);
            if (second % 2 == 0) {
              ramp.cluster.kill(alive.remove(random.nextInt(alive.size())));
              alive.add(ramp.cluster.start());
            }
          }

          List<Double> arrivals = ramp.arrivals();
          Ramp.assertNotAbove(arrivals);
          // Each of the six took at most a burst with it. Begun anew at each it would be 830 of
          // 1,400.
          assertThat((double) arrivals.size())
              .isGreaterThan(0.98 * Ramp.dueFromCold(arrivals.getLast()) - 7 * Ramp.BURST);
          // The first calls of a node that has just begun come late, beside the next ones.
          assertThat(Ramp.worstWindow(arrivals)).isLessThanOrEqualTo(TWO_BURSTS + Ramp.BURST);
        });
  }

  @Test
  void a_restart_of_all_nodes_goes_on_where_the_ramp_was() throws Exception {
    judged("the ramp of nodes that restart", RampTest::restart);
  }

  private static void restart(Ramp ramp) throws Exception {
    Limiters limiters = new Limiters(ramp.bench.database);
    List<Cluster.Member> nodes = ramp.startWarm(3);
    List<Cluster.Member> successors = ramp.prepare(3);
    ramp.open();
    ramp.awaitSeconds(9);
    for (Cluster.Member member : nodes) {
      ramp.cluster.kill(member);
    }
    LimiterState left = limiters.find(NewJob.DEFAULT_QUEUE).orElseThrow().state();
    assertThat(left.coldness()).as("colder, it could as well begin anew").isLessThan(0.7);
    int calls = ramp.arrivals().size();
    int grants = ramp.grants.soFar().size();

    for (Cluster.Member member : successors) {
      member.begin();
    }
    Await.until("they call again", () -> ramp.arrivals().size() > calls);
    double again = ramp.arrivals().get(calls);
    ramp.awaitSeconds(again + 4);

    List<Grants.Granted> since = ramp.grants.soFar().stream().skip(grants).toList();
    // Begun anew, four seconds had half of what they have: more than three processes lose.
    double coldness = Ramp.assertGrantedFrom(left, since, 3 * TWO_BURSTS);
    assertNoBurst(ramp.arrivals(), again, coldness);
  }

  /** A process's first calls leave up to 0.3 s late, together with those of their time. */
  private static void assertNoBurst(List<Double> arrivals, double again, double coldness) {
    for (int second = 1; second <= 4; second++) {
      double due = Ramp.due(coldness, second + 0.3) - Ramp.due(coldness, second - 1);
      assertThat((double) Ramp.callsWithin(arrivals, again + second - 1, again + second))
          .as("calls in second %s", second)
          .isLessThan(due + Ramp.BURST);
    }
  }

  @Test
  void control_without_the_queue_lock_a_window_has_more_than_the_curve() throws Exception {
    try (Ramp ramp = new Ramp(Cluster.Guards.NO_QUEUE_LOCK)) {
      ramp.startWarm(6);
      ramp.bench.slowClaims();

      ramp.open();
      ramp.awaitSeconds(8);

      assertThat(Ramp.worstWindow(ramp.arrivals())).isGreaterThan(TWO_BURSTS);
      assertThatThrownBy(ramp.grants::assertNotAbove).isInstanceOf(AssertionError.class);
    }
  }
}
