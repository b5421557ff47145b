package dev.ebb.cron;

import dev.ebb.db.schedule.FireTally;
import dev.ebb.db.schedule.FireView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The metrics of fires: {@code ebb.schedule.fires} by what became of them, {@code
 * ebb.schedule.misfires}, and {@code ebb.schedule.lateness} of those that came on time.
 */
final class ScheduleMeters {
  private final Map<FireView.Result, Counter> fires = new EnumMap<>(FireView.Result.class);
  private static final Duration[] BUCKETS =
      Stream.of("0.1", "0.25", "0.5", "1", "2.5", "5", "10", "30", "60")
          .map(seconds -> Duration.parse("PT" + seconds + "S"))
          .toArray(Duration[]::new);

  private final Counter misfires;
  private final Timer lateness;

  ScheduleMeters(MeterRegistry registry) {
    for (FireView.Result result : FireView.Result.values()) {
      fires.put(
          result,
          Counter.builder("ebb.schedule.fires")
              .description("Fires of schedules, by result.")
              .tag("result", result.word())
              .register(registry));
    }
    this.misfires =
        Counter.builder("ebb.schedule.misfires")
            .description("Fires more than a minute late.")
            .register(registry);
    this.lateness =
        Timer.builder("ebb.schedule.lateness")
            .description("Lateness of fires, without misfires.")
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
  }

  void count(FireTally fired) {
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
