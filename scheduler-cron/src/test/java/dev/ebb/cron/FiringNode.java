package dev.ebb.cron;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.schedule.FireTally;
import dev.ebb.db.schedule.Firing;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;

/**
 * A process that fires schedules until its standard input ends: as every node does, by Quartz, and
 * at each whole second besides, as if each node believed that no other fires.
 */
final class FiringNode {
  private FiringNode() {}

  /** Arguments: database URL, node name. Prints a line once it fires. */
  public static void main(String[] args) throws Exception {
    MeterRegistry meters = new SimpleMeterRegistry();
    try (Database database =
            Database.open(DatabaseConfig.of(args[0], "postgres", "postgres").withPoolSize(4));
        ScheduleRunner runner = ScheduleRunner.start(database, args[1], meters);
        Loop zeal = zeal(new Firing(database, args[1]), meters)) {
      zeal.start();
      System.out.println("fires: " + runner.isHealthy());
      System.in.readAllBytes();
    }
  }

  private static Loop zeal(Firing firing, MeterRegistry meters) {
    return new Loop(
        "zeal",
        new FailureLog(meters),
        () -> {
          firing.fireDue(new FireTally());
          return untilNextSecond();
        });
  }

  /** By the machine's clock, which is the database's. */
  static Duration untilNextSecond() {
    return Duration.ofMillis(1_000 - System.currentTimeMillis() % 1_000);
  }
}
