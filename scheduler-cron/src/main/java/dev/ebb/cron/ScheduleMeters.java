package dev.ebb.cron;

import dev.ebb.db.schedule.FireView;
import dev.ebb.db.schedule.Fired;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * The metrics of fires: {@code ebb.schedule.fires} by what became of them, {@code
 * ebb.schedule.misfires}, and {@code ebb.schedule.lateness} of those that came on time.
 */
final class ScheduleMeters {
  private final Map<FireView.Result, Counter> fires = new EnumMap<>(FireView.Result.class);
  private final Counter misfires;
  private final Timer lateness;

  ScheduleMeters(MeterRegistry registry) {
    for (FireView.Result result : FireView.Result.values()) {
      fires.put(result, registry.counter("ebb.schedule.fires", "result", result.word()));
    }
    this.misfires = registry.counter("ebb.schedule.misfires");
    this.lateness =
        Timer.builder("ebb.schedule.lateness")
            .publishPercentiles(0.5, 0.99)
            .percentilePrecision(2)
            .register(registry);
  }

  void count(Fired fired) {
    misfires.increment((double) fired.misfires());
    fired
        .fires()
        .forEach(fire -> {
          Counter counter = fires.get(fire.result());
          if (counter != null) {
            counter.increment();
          }
          if (fire.lateness() != null) {
            lateness.record(atLeastZero(fire.lateness()));
          }
        });
  }

  private static Duration atLeastZero(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }
}
