package dev.ebb.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.Samples;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Draws are uniform, by the test of Kolmogorov and Smirnov: the largest gap between the share of
 * draws below x and the share that uniformity wants.
 *
 * <p>A truly uniform source fails one check with probability {@value #ALPHA}; 20 seeds with six
 * checks each make 0.00012 in all. The seeds are fixed so that no build fails by bad luck. That can
 * still fail: the draws are a function of the code under test, and the controls show that a draw
 * that is skewed by two per cent does.
 */
final class UniformityTest {
  private static final double ALPHA = 0.000001;
  private static final int DRAWS = 50_000;
  private static final int SEEDS = 20;
  private static final Duration PREVIOUS = Duration.ofMinutes(2);

  private static final Duration FLOOR = Duration.ofSeconds(3);
  private static final Backoff FULL = new Backoff.Full(FLOOR, Samples.GROWTH);

  @FunctionalInterface
  private interface Source {
    Duration next(RandomGenerator random);
  }

  private static boolean isUniform(Source source, Duration from, Duration to, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] places = new double[DRAWS];
    double width = to.minus(from).toNanos();
    Arrays.setAll(places, _ -> source.next(random).minus(from).toNanos() / width);
    Arrays.sort(places);
    double gap = places[0] < 0 || places[DRAWS - 1] > 1 ? 1 : 0;
    for (int i = 0; i < DRAWS; i++) {
      gap = Math.max(gap, Math.max((i + 1.0) / DRAWS - places[i], places[i] - (double) i / DRAWS));
    }
    return gap <= Math.sqrt(-Math.log(ALPHA / 2) / 2 / DRAWS);
  }

  private static long passes(Source source, Duration from, Duration to) {
    return LongStream.range(0, SEEDS).filter(seed -> isUniform(source, from, to, seed)).count();
  }

  private static void isUniformBetween(Source source, Duration from, Duration to) {
    assertThat(passes(source, from, to)).isEqualTo(SEEDS);
  }

  @Test
  void full_jitter_is_uniform_between_floor_and_ceiling() {
    for (int n : new int[] {1, 5, 40}) {
      Backoff.Draw draw = FULL.draw(n);
      isUniformBetween(random -> draw.after(PREVIOUS, random), FLOOR, Samples.GROWTH.ceiling(n));
    }
  }

  @Test
  void equal_jitter_is_uniform_over_the_upper_half() {
    Duration ceiling = Samples.GROWTH.ceiling(4);
    isUniformBetween(
        random -> new Backoff.Equal(Samples.GROWTH).draw(4).after(PREVIOUS, random),
        ceiling.dividedBy(2),
        ceiling);
  }

  @Test
  void decorrelated_jitter_is_uniform_between_base_and_three_times_the_previous() {
    Duration base = Duration.ofSeconds(10);
    Backoff backoff = new Backoff.Decorrelated(base, Duration.ofHours(6));
    isUniformBetween(
        random -> backoff.draw(7).after(PREVIOUS, random), base, PREVIOUS.multipliedBy(3));
  }

  @Test
  void a_list_is_uniform_over_the_share_that_jitter_takes() {
    Backoff backoff = new ListBackoff(Samples.durations("PT10M"), 0.2);
    isUniformBetween(
        random -> backoff.draw(1).after(PREVIOUS, random),
        Duration.ofMinutes(8),
        Duration.ofMinutes(10));
  }

  @Test
  void control_skewed_draws_do_not_pass() {
    Duration ceiling = Samples.GROWTH.ceiling(5);
    double width = ceiling.minus(FLOOR).toNanos();
    Source power = random -> FLOOR.plusNanos((long) (width * Math.pow(random.nextDouble(), 1.06)));
    Source narrow = random -> FLOOR.plusNanos((long) (width * 0.97 * random.nextDouble()));
    Source noFloor = random -> Duration.ofNanos(random.nextLong(ceiling.toNanos() + 1));
    Source upperHalf = random -> new Backoff.Equal(Samples.GROWTH).draw(5).after(PREVIOUS, random);
    assertThat(passes(power, FLOOR, ceiling)).isZero();
    assertThat(passes(narrow, FLOOR, ceiling)).isZero();
    assertThat(passes(noFloor, FLOOR, ceiling)).isZero();
    assertThat(passes(upperHalf, FLOOR, ceiling)).isZero();
  }
}
