package dev.ebb.cron;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A database that goes away under Quartz. */
@Proof
class QuartzOutageTest {
  private static final Duration AWAY = Duration.ofSeconds(12);
  private static final Duration BACK_IN = Duration.ofSeconds(5);
  private static final int SCHEDULES = 10;

  /** Of two nodes: each part of one says once that it fails, and once that it is back. */
  private static final int MOST_LINES = 30;

  /** Quartz may lose a trigger on its way, once on each node; the schedules fire all the same. */
  private static final int MOST_TRACES = 2;

  private static final String ALL_FIRED =
      """
      count(distinct schedule) = %d
      from ebb.schedule_fire
      where fired_at > pg_postmaster_start_time()
      """
          .formatted(SCHEDULES);

  private static final String SERVED =
      """
      count(*) = 0
      from ebb.schedule
      where next_fire_at < now() - interval '1 second'
      """;

  @Test
  void schedules_fire_again_in_five_seconds_none_twice_none_left_out_and_the_log_stays_short()
      throws Exception {
    Judged.holds(
        "how soon schedules fire after an outage",
        TestPostgres.shared().config("postgres"),
        _ -> {
          try (TestPostgres postgres = TestPostgres.start();
              CronBench cron = new CronBench(postgres.newDatabase());
              NodeLog log = NodeLog.ofApplication()) {
            Duration back = outage(postgres, cron, log);
            return Judged.missed(
                () -> assertThat(back).as("until all fired").isLessThanOrEqualTo(BACK_IN));
          }
        });
  }

  /** Answers how long after its end every schedule had fired. */
  private static Duration outage(TestPostgres postgres, CronBench cron, NodeLog log)
      throws Exception {
    for (int i = 0; i < SCHEDULES; i++) {
      cron.put(CronBench.every("often-" + i, Duration.ofSeconds(1)));
    }
    FireCheck check = new FireCheck(cron.bench);
    List<ScheduleRunner> nodes = List.of(cron.node("a"), cron.node("b"));
    cron.await(ALL_FIRED);
    postgres.stop();
    LockSupport.parkNanos(AWAY.toNanos());
    postgres.restart();
    long restarted = System.nanoTime();
    cron.await(ALL_FIRED);
    final Duration back = Duration.ofNanos(System.nanoTime() - restarted);
    cron.await(SERVED);
    awaitHealthy(nodes);
    assertLogIsShort(log.events());
    nodes.forEach(ScheduleRunner::close);
    FireCheck.Findings found = check.findings();
    System.out.println("after an outage of " + AWAY + ", back in " + back + ": " + found);
    assertThat(found.isSound()).as(found.toString()).isTrue();
    assertThat(found.missed()).as("misfires, of which none was late enough").isZero();
    assertThat(found.jobs()).isGreaterThan(SCHEDULES * AWAY.toSeconds());
    return back;
  }

  private static void awaitHealthy(List<ScheduleRunner> nodes) {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!nodes.stream().allMatch(ScheduleRunner::isHealthy)) {
      assertThat(System.nanoTime()).as("they are healthy again").isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private static void assertLogIsShort(List<ILoggingEvent> events) {
    List<String> lines = events.stream().map(QuartzOutageTest::line).toList();
    lines.forEach(System.out::println);
    assertThat(events)
        .as("stack traces")
        .filteredOn(event -> event.getThrowableProxy() != null)
        .hasSizeLessThanOrEqualTo(MOST_TRACES);
    assertThat(lines).hasSizeLessThanOrEqualTo(MOST_LINES);
    assertThat(lines).anyMatch(line -> line.contains("back after"));
  }

  private static String line(ILoggingEvent event) {
    String trace =
        event.getThrowableProxy() == null
            ? ""
            : ThrowableProxyUtil.asString(event.getThrowableProxy());
    return event.getLevel()
        + " "
        + event.getLoggerName()
        + " "
        + event.getFormattedMessage()
        + trace;
  }
}
