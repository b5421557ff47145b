package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two hundred merchants beside a tarpit, one that answers with a GiB, and one that resets. */
@Proof
class NeighboursTest {
  private static final int ROUNDS = 3;

  /** In milliseconds: a pause of the machine's that long is no wait for a neighbour. */
  private static final double NOISE = 5;

  /**
   * How late of a hundred attempts the latest but one started, in milliseconds: the medians of
   * rounds that took turns.
   */
  private record Found(double alone, double beside) {
    boolean isMoreThanATenth() {
      return beside - alone > Math.max(alone / 10, NOISE);
    }
  }

  private static Found measure(boolean shareAQueue, int rounds) throws Exception {
    List<Double> alone = new ArrayList<>();
    List<Double> beside = new ArrayList<>();
    try (Neighbours neighbours = new Neighbours(shareAQueue)) {
      double _ = neighbours.p99(false);
      for (int round = 0; round < rounds; round++) {
        alone.add(neighbours.p99(false));
        beside.add(neighbours.p99(true));
      }
    }
    Found found = new Found(median(alone), median(beside));
    System.out.printf("p99 of the start, ms: alone %s, beside %s: %s%n", alone, beside, found);
    return found;
  }

  private static double median(List<Double> values) {
    Collections.sort(values);
    return values.get(values.size() / 2);
  }

  @Test
  void bad_merchants_delay_the_others_attempts_by_less_than_a_tenth() throws Exception {
    Judged.holds(
        "the start beside bad merchants",
        TestPostgres.shared().config("postgres"),
        _ -> {
          Found found = measure(false, ROUNDS);
          return Judged.missed(
              () -> assertThat(found.isMoreThanATenth()).as(found.toString()).isFalse());
        });
  }

  @Test
  void control_in_a_queue_that_all_share_the_bad_ones_delay_the_others() throws Exception {
    assertThat(measure(true, 1).isMoreThanATenth()).isTrue();
  }
}
