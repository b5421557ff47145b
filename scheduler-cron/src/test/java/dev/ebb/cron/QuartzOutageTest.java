package dev.ebb.cron;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
      count(distinct schedule) = %s
      from ebb.schedule_fire
      where fired_at > pg_postmaster_start_time()
      """
          .formatted(SCHEDULES);

  private static final String NOW = "1000 * extract(epoch from now())";

  private static final String ONE_AFTER_ANOTHER =
      """
      update ebb.schedule
      set next_fire_at =
        date_trunc('second', now()) + interval '3 seconds' * (1 + right(name, 1)::integer)
      """;

  private static final String QUARTZ_LOOKS =
      """
      exists (
        select
        from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%s.next_fire_at <= statement_timestamp()%')
      """;

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

  /** Quartz's thread then waits for the database to take its trigger back. */
  @Test
  void a_node_can_be_closed_while_the_database_is_away() throws Exception {
    try (TestPostgres postgres = TestPostgres.start();
        CronBench cron = new CronBench(postgres.newDatabase());
        Connection holder = TestPostgres.connect(cron.bench.config);
        Statement statement = holder.createStatement()) {
      ScheduleRunner node = cron.node("a");
      for (int i = 0; i < SCHEDULES; i++) {
        cron.put(CronBench.every("minutely-" + i, Duration.ofMinutes(1)));
      }
      cron.bench.execute(ONE_AFTER_ANOTHER);
      cron.await("count(*) > 3 from ebb.qrtz_triggers where next_fire_time > %s".formatted(NOW));
      holder.setAutoCommit(false);
      statement.execute("lock table ebb.schedule");
      cron.await(QUARTZ_LOOKS);
      postgres.stop();

      CompletableFuture<Void> closed = CompletableFuture.runAsync(node::close);

      assertThat(closed).succeedsWithin(Duration.ofMinutes(1));
      postgres.restart();
    }
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
