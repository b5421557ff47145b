package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Judged;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.Vital;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A failure or a wait in one place delays that one alone. */
class ContainmentTest {
  private static final int FEW = 10;
  private static final int MANY = 120;

  @ParameterizedTest
  @EnumSource
  void jobs_that_have_nothing_to_do_with_it_run(Disturbance disturbance) throws Exception {
    try (Containment test = new Containment()) {
      test.waits(FEW);
      disturbance.begin(test);

      assertThat(test.waits(FEW)).hasSize(FEW);
      test.awaitSettled();
    }
  }

  @Vital
  @ParameterizedTest
  @EnumSource
  void of_jobs_that_have_nothing_to_do_with_it_99_of_100_start_within_a_second(
      Disturbance disturbance) throws Exception {
    Judged.holds(
        "the wait beside " + disturbance,
        TestPostgres.shared().config("postgres"),
        _ -> {
          try (Containment test = new Containment()) {
            test.waits(FEW);
            disturbance.begin(test);

            List<Double> waits = test.waits(MANY);

            double p99 = waits.get(MANY * 99 / 100 - 1);
            System.out.printf(
                "beside %s: median %.1f ms, p99 %.1f ms%n", disturbance, waits.get(MANY / 2), p99);
            return Judged.missed(() -> assertThat(p99).as("p99, ms").isLessThan(1_000));
          }
        });
  }
}
