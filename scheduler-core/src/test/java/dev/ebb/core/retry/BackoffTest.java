package dev.ebb.core.retry;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.Broken;
import dev.ebb.core.Samples;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class BackoffTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration TOO_LONG = Duration.ofDays(3650).plusNanos(1);

  /** Always draws the r-th of what there is to choose from. */
  private record Chosen(int r) implements RandomGenerator {
    @Override
    public long nextLong() {
      throw new AssertionError();
    }

    @Override
    public int nextInt(int bound) {
      assertThat(r).isLessThan(bound);
      return r;
    }
  }

  @Test
  void every_draw_lies_between_earliest_and_latest() {
    for (Backoff backoff : Samples.BACKOFFS) {
      SplittableRandom random = new SplittableRandom(7);
      for (int history = 0; history < 200; history++) {
        Duration previous = ZERO;
        for (int n = 1; n <= 40; n++) {
          previous = backoff.draw(n).after(previous, random);
          assertThat(previous)
              .as("%s after failure %s", backoff, n)
              .isBetween(backoff.earliest(n), backoff.latest(n))
              .isLessThanOrEqualTo(backoff.maxDelay());
        }
      }
    }
  }

  @Test
  void earliest_and_latest_are_both_drawn() {
    Growth nanos = new Growth(Duration.ofNanos(3), 2, Duration.ofNanos(6));
    List<Backoff> narrow =
        List.of(
            new Backoff.Full(Duration.ofNanos(1), nanos),
            new Backoff.Equal(nanos),
            new Backoff.Decorrelated(Duration.ofNanos(2), Duration.ofNanos(5)),
            new Backoff.Additive(Duration.ofNanos(2), nanos),
            new Backoff.None(nanos),
            new SlotBackoff(Duration.ofNanos(1)),
            new ListBackoff(List.of(Duration.ofNanos(5)), 0.5));
    for (Backoff backoff : narrow) {
      SplittableRandom random = new SplittableRandom(11);
      List<Duration> drawn =
          Stream.generate(() -> backoff.draw(1).after(ZERO, random)).limit(500).toList();
      assertThat(Collections.min(drawn)).as("%s", backoff).isEqualTo(backoff.earliest(1));
      assertThat(Collections.max(drawn)).as("%s", backoff).isEqualTo(backoff.latest(1));
    }
  }

  @Test
  void the_ends_are_those_of_the_formulas() {
    Backoff full = Samples.BACKOFFS.get(0);
    assertThat(full.earliest(3)).hasSeconds(3);
    assertThat(full.latest(3)).hasSeconds(40);
    Backoff equal = Samples.BACKOFFS.get(1);
    assertThat(equal.earliest(3)).hasSeconds(20);
    assertThat(equal.latest(3)).hasSeconds(40);
    Backoff decorrelated = Samples.BACKOFFS.get(2);
    assertThat(decorrelated.earliest(3)).hasSeconds(10);
    assertThat(decorrelated.latest(3)).hasSeconds(270);
    assertThat(decorrelated.latest(Integer.MAX_VALUE)).hasHours(6);
    Backoff additive = Samples.BACKOFFS.get(3);
    assertThat(additive.earliest(3)).hasSeconds(40);
    assertThat(additive.latest(3)).hasSeconds(47);
    assertThat(additive.maxDelay()).isEqualTo(Duration.parse("PT6H7S"));
    Backoff none = Samples.BACKOFFS.get(4);
    assertThat(none.earliest(3)).hasSeconds(40);
    assertThat(none.latest(3)).hasSeconds(40);
  }

  @Test
  void a_floor_above_the_ceiling_is_what_is_waited() {
    Backoff backoff = new Backoff.Full(Duration.ofMinutes(1), Samples.GROWTH);
    assertThat(backoff.draw(1).after(ZERO, new SplittableRandom(1))).hasMinutes(1);
    assertThat(backoff.latest(3)).hasMinutes(1);
    assertThat(backoff.latest(4)).hasSeconds(80);
  }

  @Test
  void slots_wait_half_of_2_to_the_n_minus_1_on_average_and_freeze_after_ten() {
    Backoff slots = new SlotBackoff(SECOND);
    for (int n = 1; n <= 300; n++) {
      int choices = 1 << Math.min(n, 10);
      Duration sum = ZERO;
      for (int r = 0; r < choices; r++) {
        sum = sum.plus(slots.draw(n).after(ZERO, new Chosen(r)));
      }
      assertThat(sum).isEqualTo(SECOND.multipliedBy(choices * (choices - 1L) / 2));
      assertThat(slots.latest(n)).isEqualTo(SECOND.multipliedBy(choices - 1L));
    }
  }

  /** By chi-square over the 16 slots: 15 degrees of freedom pass 53.2 with probability 3.5e-6. */
  @Test
  void slots_are_drawn_alike() {
    SplittableRandom random = new SplittableRandom(3);
    int[] counts = new int[16];
    for (int i = 0; i < 16_000; i++) {
      counts[(int) new SlotBackoff(SECOND).draw(4).after(ZERO, random).toSeconds()]++;
    }
    double chiSquare = 0;
    for (int count : counts) {
      chiSquare += Math.pow(count - 1000, 2) / 1000;
    }
    assertThat(chiSquare).isLessThan(53.2);
  }

  @Test
  void decorrelated_jitter_counts_no_previous_as_the_base_and_cuts_any_at_the_cap() {
    Backoff backoff = new Backoff.Decorrelated(SECOND, Duration.ofSeconds(4));
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 1000; i++) {
      assertThat(backoff.draw(1).after(ZERO, random)).isBetween(SECOND, Duration.ofSeconds(3));
      assertThat(backoff.draw(2).after(Duration.ofSeconds(Long.MAX_VALUE), random))
          .isBetween(SECOND, Duration.ofSeconds(4));
    }
  }

  @Test
  void a_list_repeats_its_last_step() {
    Backoff list = new ListBackoff(Samples.durations("PT1S", "PT5S", "PT3S"), 0);
    assertThat(List.of(list.latest(1), list.latest(2), list.latest(3), list.latest(4)))
        .isEqualTo(Samples.durations("PT1S", "PT5S", "PT3S", "PT3S"));
    assertThat(list.latest(Integer.MAX_VALUE)).hasSeconds(3);
    assertThat(list.maxDelay()).hasSeconds(5);
  }

  @Test
  void scaling_multiplies_the_base_but_never_passes_the_cap() {
    Backoff none = new Backoff.None(Samples.GROWTH);
    assertThat(none.scaled(0.5).latest(3)).hasSeconds(20);
    assertThat(none.scaled(100).latest(1)).hasSeconds(1000);
    assertThat(none.scaled(100).latest(30)).hasHours(6);
    Backoff list = new ListBackoff(Samples.durations("PT1S", "PT5S"), 0);
    assertThat(list.scaled(3).latest(1)).hasSeconds(3);
    assertThat(list.scaled(3).latest(2)).hasSeconds(5);
    assertThat(new SlotBackoff(SECOND).scaled(0.5).latest(2)).hasMillis(1500);
    for (Backoff backoff : Samples.BACKOFFS) {
      assertThat(backoff.scaled(1)).isEqualTo(backoff);
      assertThat(backoff.scaled(0.1).latest(2)).isLessThan(backoff.latest(2));
    }
  }

  @Test
  void each_bad_field_is_named() {
    Growth growth = new Growth(SECOND, 2, SECOND);
    Broken.refuses("floor", () -> new Backoff.Full(SECOND.negated(), growth));
    Broken.refuses("floor", () -> new Backoff.Full(SECOND.plusNanos(1), growth));
    Broken.refuses("spread", () -> new Backoff.Additive(TOO_LONG, growth));
    Broken.refuses("spread", () -> new Backoff.Additive(SECOND.negated(), growth));
    Broken.refuses("base", () -> new Backoff.Decorrelated(SECOND.negated(), SECOND));
    Broken.refuses("base", () -> new Backoff.Decorrelated(SECOND.plusNanos(1), SECOND));
    Broken.refuses("cap", () -> new Backoff.Decorrelated(SECOND, TOO_LONG));
    Broken.refuses("slot", () -> new SlotBackoff(SECOND.negated()));
    Broken.refuses("slot", () -> new SlotBackoff(Duration.ofDays(3).plusNanos(1)));
    Broken.refuses("steps", () -> new ListBackoff(List.of(), 0));
    Broken.refuses("steps", () -> new ListBackoff(Collections.nCopies(101, SECOND), 0));
    Broken.refuses("steps[1]", () -> new ListBackoff(List.of(SECOND, TOO_LONG), 0));
    for (double proportion : new double[] {-0.1, 1.1, Double.NaN}) {
      Broken.refuses("proportion", () -> new ListBackoff(List.of(SECOND), proportion));
    }
    for (Backoff backoff : Samples.BACKOFFS) {
      Broken.refuses("n", () -> backoff.earliest(0));
      Broken.refuses("n", () -> backoff.latest(-1));
      Broken.refuses("n", () -> backoff.draw(0).after(ZERO, new SplittableRandom(1)));
    }
  }
}
