package dev.ebb.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.Broken;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class GrowthTest {
  private static final int ATTEMPTS = 300;
  private static final List<Duration> BASES =
      Stream.of(
              "PT0S",
              "PT0.000000001S",
              "PT0.0000512S",
              "PT0.007S",
              "PT0.5S",
              "PT1S",
              "PT10S",
              "PT59.999999999S",
              "P1D",
              "P3650D")
          .map(Duration::parse)
          .toList();
  private static final List<Double> FACTORS =
      List.of(
          1.0, 1.001, 1.1, 1.25, 1.5, 1.618033988749895, 2.0, 2.5, 3.0, 7.3, 10.0, 99.99, 100.0);
  private static final List<Duration> CAPS =
      Stream.of("PT0.000000001S", "PT1S", "PT4S", "PT6H", "P30D", "P3649DT23H59M", "P3650D")
          .map(Duration::parse)
          .toList();

  private static List<Growth> grid() {
    return BASES.stream()
        .flatMap(
            base -> FACTORS.stream().flatMap(f -> CAPS.stream().flatMap(cap -> of(base, f, cap))))
        .toList();
  }

  private static Stream<Growth> of(Duration base, double factor, Duration cap) {
    return base.compareTo(cap) <= 0 ? Stream.of(new Growth(base, factor, cap)) : Stream.empty();
  }

  /** base · p^(n-1) / q^(n-1) in whole numbers without end, for the factor p/q. */
  private static long mismatches(Growth growth, IntFunction<Duration> ceiling) {
    BigDecimal factor = BigDecimal.valueOf(growth.factor());
    BigInteger p = factor.movePointRight(factor.scale()).toBigIntegerExact();
    BigInteger q = BigInteger.TEN.pow(factor.scale());
    BigInteger above = BigInteger.valueOf(growth.base().toNanos());
    BigInteger below = BigInteger.ONE;
    BigInteger cap = BigInteger.valueOf(growth.cap().toNanos());
    long mismatches = 0;
    for (int n = 1; n <= ATTEMPTS; n++) {
      long expected = above.divide(below).min(cap).longValueExact();
      mismatches += ceiling.apply(n).toNanos() == expected ? 0 : 1;
      above = above.multiply(p);
      below = below.multiply(q);
    }
    return mismatches;
  }

  @Test
  void every_ceiling_equals_its_formula_to_the_nanosecond() {
    List<Growth> grid = grid();
    assertThat(grid).hasSizeGreaterThan(500);
    for (Growth growth : grid) {
      assertThat(mismatches(growth, growth::ceiling)).as("%s", growth).isZero();
    }
  }

  @Test
  void control_doubles_and_shifts_do_not_pass_the_same_check() {
    long doubles = 0;
    long shifts = 0;
    for (Growth g : grid()) {
      doubles += mismatches(g, n -> inDoubles(g, n));
      shifts += g.factor() == 2 ? mismatches(g, n -> shifted(g, n)) : 0;
    }
    assertThat(doubles).isPositive();
    assertThat(shifts).isPositive();
  }

  private static Duration inDoubles(Growth growth, int n) {
    double nanos = growth.base().toNanos() * Math.pow(growth.factor(), n - 1);
    return Duration.ofNanos((long) Math.min(nanos, (double) growth.cap().toNanos()));
  }

  private static Duration shifted(Growth growth, int n) {
    long nanos = growth.base().toNanos() << (n - 1);
    return Duration.ofNanos(Math.min(nanos, growth.cap().toNanos()));
  }

  @Test
  void no_attempt_number_overflows() {
    for (Growth growth : grid()) {
      Duration atEnd = growth.ceiling(Integer.MAX_VALUE);
      assertThat(atEnd).isBetween(growth.base(), growth.cap());
      if (growth.factor() > 1 && !growth.base().isZero()) {
        assertThat(atEnd).as("%s", growth).isEqualTo(growth.cap());
      }
    }
  }

  @Test
  void a_factor_barely_above_one_grows_without_slowing_down() {
    Growth slow = new Growth(Duration.ofSeconds(1), Math.nextUp(1.0), Duration.ofDays(3650));
    assertThat(slow.ceiling(1_000_000)).isEqualTo(Duration.ofSeconds(1));
    assertThat(slow.ceiling(Integer.MAX_VALUE))
        .isBetween(Duration.ofNanos(1_000_000_200), Duration.ofNanos(1_000_000_500));
  }

  @Test
  void each_bad_field_is_named() {
    Duration second = Duration.ofSeconds(1);
    Duration tooLong = Duration.ofDays(3650).plusNanos(1);
    Broken.refuses("base", () -> new Growth(second.negated(), 2, second));
    Broken.refuses("base", () -> new Growth(tooLong, 2, second));
    Broken.refuses("base", () -> new Growth(second.plusNanos(1), 2, second));
    Broken.refuses("cap", () -> new Growth(second, 2, second.negated()));
    Broken.refuses("cap", () -> new Growth(second, 2, tooLong));
    Broken.refuses("cap", () -> new Growth(second, 2, Duration.ofSeconds(Long.MAX_VALUE)));
    for (double factor :
        new double[] {Double.NaN, Double.POSITIVE_INFINITY, 0.999, 100.1, -2, 0, -0.0}) {
      Broken.refuses("factor", () -> new Growth(second, factor, second));
    }
    Broken.refuses("n", () -> new Growth(second, 2, second).ceiling(0));
  }
}
