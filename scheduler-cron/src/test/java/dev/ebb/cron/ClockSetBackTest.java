package dev.ebb.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.schedule.FireTally;
import dev.ebb.db.schedule.Firing;
import dev.ebb.db.schedule.TriggerRows;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The database's clock runs ahead, and is set back: by functions that stand before its own. */
class ClockSetBackTest {
  private static final String CLOCK =
      """
      create schema faked;
      create table faked.ahead (by interval);
      insert into faked.ahead values ('0');
      create function faked.clock_timestamp() returns timestamptz language sql stable as
        $$ select pg_catalog.clock_timestamp() + by from faked.ahead $$;
      create function faked.statement_timestamp() returns timestamptz language sql stable as
        $$ select pg_catalog.statement_timestamp() + by from faked.ahead $$;
      do $$ begin
        execute format('alter database %I set search_path = faked, pg_catalog', current_database());
      end $$;
      """;

  private final CronBench cron = new CronBench();

  @BeforeEach
  void putClock() throws Exception {
    cron.bench.execute(CLOCK);
  }

  @AfterEach
  void close() throws Exception {
    cron.close();
  }

  private void runAhead(String interval) throws Exception {
    cron.bench.execute("update faked.ahead set by = '%s'".formatted(interval));
  }

  private void fireAhead() throws Exception {
    runAhead("1 hour");
    cron.await(
        "count(*) >= 2 from ebb.schedule_fire where fire_at > pg_catalog.now() + interval '30 min'");
  }

  private static final String GOES_ON =
      "count(*) >= 3 from ebb.schedule_fire where fire_at > '%s' and fire_at < pg_catalog.now()";

  @Test
  void a_node_that_sees_it_set_back_goes_on_with_the_times_that_come() throws Exception {
    cron.node("a");
    cron.put(CronBench.every("often", Duration.ofSeconds(1)));
    cron.await("count(*) >= 2 from ebb.schedule_fire");
    fireAhead();

    runAhead("0");

    cron.await(GOES_ON.formatted(cron.text("pg_catalog.now()")));
    assertThat(cron.is("count(*) = count(distinct labels ->> 'fireAt') from ebb.job")).isTrue();
  }

  @Test
  void a_node_that_starts_after_it_was_set_back_goes_on_too() throws Exception {
    cron.put(CronBench.every("often", Duration.ofSeconds(1)));
    cron.bench.execute("update ebb.schedule set next_fire_at = next_fire_at + interval '1 hour'");
    String now = cron.text("pg_catalog.now()");

    cron.node("a");

    cron.await(GOES_ON.formatted(now));
  }

  /** Between two looks at it. */
  @Test
  void a_node_that_saw_it_neither_run_ahead_nor_set_back_goes_on_too() throws Exception {
    try (Database database = TestPostgres.open(cron.bench.config)) {
      Firing firing = new Firing(database, "a");
      QuartzNode quartz = QuartzNode.create(database, "a");
      TriggerRows rows = new TriggerRows(database, QuartzNode.CLUSTER);
      Reconciler reconciler = new Reconciler(firing, rows, quartz, () -> {});
      try {
        reconciler.step();
        cron.put(CronBench.every("often", Duration.ofSeconds(1)));
        runAhead("1 hour");
        FireTally fired = new FireTally();
        firing.fireDue(fired);
        assertThat(fired.latest()).isAfter(Instant.now().plus(Duration.ofMinutes(30)));
        runAhead("0");
        reconciler.fired(fired.latest());

        reconciler.step();

        assertThat(cron.is("next_fire_at < pg_catalog.now() + interval '1 min' from ebb.schedule"))
            .isTrue();
      } finally {
        quartz.close();
      }
    }
  }
}
