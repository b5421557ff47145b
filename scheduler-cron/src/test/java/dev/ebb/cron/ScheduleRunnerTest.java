package dev.ebb.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.health.Checkup;
import dev.ebb.core.health.Finding;
import dev.ebb.core.health.Verdict;
import dev.ebb.db.Await;
import dev.ebb.db.Judged;
import dev.ebb.db.health.DatabaseHealth;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Its tests wait for seconds to pass, and each has a database of its own: they run at a time. */
@Execution(ExecutionMode.CONCURRENT)
class ScheduleRunnerTest {
  private static final String TRIGGER = "exists (select from ebb.qrtz_triggers)";
  private static final String FOLLOWS =
      """
      (select array_agg(trigger_name::text order by trigger_name)
       from ebb.qrtz_triggers)
      = (select array_agg(
           distinct to_char(next_fire_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
         from ebb.schedule)
      """;

  private static final String AS_MADE =
      """
      (
        select count(*) = 1
          and bool_and(trigger_type = 'SIMPLE' and calendar_name is null and trigger_state = 'WAITING')
          and bool_and(octet_length(job_data) = 0)
        from ebb.qrtz_triggers
        join ebb.qrtz_simple_triggers using (sched_name, trigger_name, trigger_group)
      )
      """;

  private static final String LOOKS =
      """
      coalesce(sum(calls) filter (
        where query like '%as overdue%' and query not like '%pg_stat%'
          and dbid = (select oid from pg_database where datname = current_database())), 0)
      """;

  private static final Set<String> OF_SCHEDULES =
      Set.of("late_schedules", "firing_nodes", "quartz_triggers", "quartz_clocks");

  private final CronBench cron = new CronBench();

  @AfterEach
  void close() throws Exception {
    cron.close();
  }

  @Test
  void a_schedule_that_is_stored_fires_at_its_time_and_goes_on() throws Exception {
    cron.node("a");
    cron.put(CronBench.every("often", Duration.ofSeconds(1)));

    cron.await("count(*) >= 3 from ebb.schedule_fire where result = 'submitted'");

    assertThat(cron.is("count(*) = count(distinct fire_at) from ebb.schedule_fire")).isTrue();
    assertThat(
            cron.is(
                "(select count(*) from ebb.job where labels ->> 'schedule' = 'often')"
                    + " >= (select 3)"))
        .isTrue();
    Counter fires = cron.meters.counter("ebb.schedule.fires", "result", "submitted");
    Await.until("they are counted, behind the commit", () -> fires.count() >= 3);
    Timer lateness = cron.meters.timer("ebb.schedule.lateness");
    Await.until("their lateness is counted", () -> lateness.count() >= 3);
  }

  /** A node checks in when it starts, and Ebb's own look is a statement a second. */
  @Test
  void quartz_starts_with_the_first_schedule() throws Exception {
    cron.bench.execute("create extension if not exists pg_stat_statements");
    cron.node("a");
    cron.await(LOOKS + ">= 2 from pg_stat_statements");
    assertThat(cron.is("count(*) = 0 from ebb.qrtz_scheduler_state")).isTrue();

    cron.put(CronBench.every("first", Duration.ofSeconds(1)));

    cron.await("count(*) = 1 from ebb.qrtz_scheduler_state");
    cron.await("count(*) >= 1 from ebb.schedule_fire where result = 'submitted'");
  }

  @Test
  void schedules_that_fire_at_the_same_instant_share_a_trigger() throws Exception {
    for (int i = 0; i < 20; i++) {
      cron.put(CronBench.cron("noon-" + i, "0 12 * * *"));
    }

    cron.node("a");

    cron.await("count(*) = 1 from ebb.qrtz_triggers");
  }

  @Test
  void a_trigger_that_somebody_deleted_is_made_anew() throws Exception {
    cron.put(CronBench.cron("yearly", "@yearly"));
    cron.node("a");
    cron.await(FOLLOWS);

    cron.bench.execute("delete from ebb.qrtz_simple_triggers; delete from ebb.qrtz_triggers");

    cron.await(FOLLOWS);
  }

  @Test
  void a_job_detail_that_somebody_deleted_is_made_anew() throws Exception {
    cron.put(CronBench.cron("yearly", "@yearly"));
    cron.node("a");
    cron.await(FOLLOWS);

    cron.bench.execute(
        "delete from ebb.qrtz_simple_triggers; delete from ebb.qrtz_triggers;"
            + " delete from ebb.qrtz_job_details");

    cron.await(FOLLOWS);
  }

  @Test
  void a_trigger_that_no_schedule_wants_is_removed() throws Exception {
    cron.put(CronBench.cron("yearly", "@yearly"));
    cron.put(CronBench.cron("monthly", "@monthly"));
    cron.node("a");
    cron.await(FOLLOWS);

    cron.bench.execute("delete from ebb.schedule where name = 'monthly'");
    cron.bench.execute(
        """
        insert into ebb.qrtz_triggers
        select sched_name, 'strange', trigger_group, job_name, job_group, description,
          next_fire_time, prev_fire_time, priority, trigger_state, trigger_type, start_time,
          end_time, calendar_name, misfire_instr, job_data
        from ebb.qrtz_triggers
        limit 1;
        insert into ebb.qrtz_simple_triggers
        select sched_name, 'strange', trigger_group, repeat_count, repeat_interval, times_triggered
        from ebb.qrtz_simple_triggers
        limit 1
        """);

    cron.await(FOLLOWS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update ebb.qrtz_triggers set trigger_type = 'BLOB'",
        "update ebb.qrtz_triggers set calendar_name = 'c'",
        "update ebb.qrtz_triggers set job_data = '\\xaced0005'",
        "update ebb.qrtz_triggers set trigger_state = 'ERROR'",
        "delete from ebb.qrtz_simple_triggers",
        """
        insert into ebb.qrtz_blob_triggers
        select sched_name, trigger_name, trigger_group, '\\xaced0005' from ebb.qrtz_triggers;
        delete from ebb.qrtz_simple_triggers;
        update ebb.qrtz_triggers set trigger_type = 'BLOB'
        """,
        """
        insert into ebb.qrtz_cron_triggers
        select sched_name, trigger_name, trigger_group, '* * * * * ?' from ebb.qrtz_triggers;
        update ebb.qrtz_triggers set trigger_type = 'CRON'
        """,
      })
  void a_trigger_of_which_somebody_changed_the_kind_is_made_anew(String change) throws Exception {
    cron.put(CronBench.cron("yearly", "@yearly"));
    cron.node("a");
    cron.await(FOLLOWS);

    cron.bench.execute(change);

    cron.await(AS_MADE);
    assertThat(cron.is("not exists (select from ebb.qrtz_blob_triggers)")).isTrue();
  }

  @Test
  void a_schedule_fires_although_its_trigger_was_moved_to_next_year() throws Exception {
    cron.put(CronBench.every("soon", Duration.ofSeconds(5)));
    cron.node("a");
    cron.await(TRIGGER);

    cron.bench.execute(
        "update ebb.qrtz_triggers set next_fire_time = next_fire_time + 31536000000");

    cron.await("exists (select from ebb.schedule_fire)");
  }

  @Test
  void a_schedule_fires_although_somebody_paused_its_triggers() throws Exception {
    cron.put(CronBench.every("soon", Duration.ofSeconds(5)));
    cron.node("a");
    cron.await(TRIGGER);

    cron.bench.execute(
        """
        insert into ebb.qrtz_paused_trigger_grps values ('ebb', 'ebb');
        update ebb.qrtz_triggers set trigger_state = 'PAUSED'
        """);

    cron.await("exists (select from ebb.schedule_fire)");
  }

  /** The trigger of a node that died is acquired, and nobody will fire it soon. */
  @Test
  void a_schedule_fires_although_a_dead_node_has_its_trigger() throws Exception {
    cron.put(CronBench.every("soon", Duration.ofSeconds(5)));
    cron.node("a");
    cron.await(TRIGGER);

    cron.bench.execute("update ebb.qrtz_triggers set trigger_state = 'ACQUIRED'");

    cron.await("exists (select from ebb.schedule_fire)");
  }

  @Test
  void a_schedule_fires_although_quartz_can_store_no_trigger_of_its_own() throws Exception {
    cron.bench.execute("alter table ebb.qrtz_triggers add check (trigger_name = 'now')");

    cron.node("a");
    cron.put(CronBench.every("soon", Duration.ofSeconds(1)));

    cron.await("exists (select from ebb.schedule_fire)");
  }

  @Test
  void a_schedule_fires_although_quartz_is_out_of_order() throws Exception {
    cron.node("a");
    cron.put(CronBench.cron("yearly", "@yearly"));
    cron.await(FOLLOWS);
    cron.bench.execute("alter table ebb.qrtz_triggers rename to gone");

    cron.put(CronBench.every("soon", Duration.ofSeconds(1)));

    cron.await("exists (select from ebb.schedule_fire)");
  }

  @Test
  void fires_that_wait_start_soon_after_the_job_before_them() throws Exception {
    cron.node("a");
    Judged.holds(
        "18 starts, for which a look each second would take as many seconds",
        cron.bench.config,
        run -> {
          String name = "line-" + run;
          String waiting = "waiting %s from ebb.schedule where name = '" + name + "'";
          cron.putDue(CronBench.queued(name, Duration.ofMinutes(1)), "20 minutes");
          cron.await(waiting.formatted(">= 18"));
          long begun = System.nanoTime();
          while (!cron.is(waiting.formatted("= 0"))) {
            cron.bench.execute("delete from ebb.job");
          }
          Duration took = Duration.ofNanos(System.nanoTime() - begun);
          return Judged.missed(() -> assertThat(took).isLessThan(Duration.ofSeconds(16)));
        });
  }

  @Test
  void a_node_serves_what_came_due_while_none_ran() throws Exception {
    cron.putDue(CronBench.every("slept", Duration.ofMinutes(1)), "3 hours");

    cron.node("a");

    cron.await("coalesce(max(missed), 0) between 178 and 180 from ebb.schedule_fire");
    Counter misfires = cron.meters.counter("ebb.schedule.misfires");
    Await.until("they are counted, behind the commit", () -> misfires.count() > 0);
    assertThat(misfires.count()).isBetween(179.0, 181.0);
  }

  @Test
  void a_schedule_that_cannot_be_fired_is_tried_once_a_second_and_told_when_it_is_back()
      throws Exception {
    cron.putDue(CronBench.every("strange", Duration.ofMinutes(1)), "90 seconds");
    cron.bench.execute("update ebb.schedule set zone = 'Atlantis/Capital'");
    cron.node("a");
    Counter failures = cron.meters.counter("ebb.failures", "part", "firer");
    long begun = System.nanoTime();

    Await.until("it was tried four times", () -> failures.count() >= 4);
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    cron.bench.execute("update ebb.schedule set zone = 'UTC'");
    cron.await("exists (select from ebb.schedule_fire)");

    assertThat(took).as("four tries").isGreaterThan(Duration.ofMillis(1_500));
  }

  @Test
  void two_nodes_make_one_job_of_each_fire() throws Exception {
    cron.node("a");
    cron.node("b");
    for (int i = 0; i < 10; i++) {
      cron.put(CronBench.every("often-" + i, Duration.ofSeconds(1)));
    }

    cron.await("count(*) >= 50 from ebb.schedule_fire");

    assertThat(
            cron.is(
                "count(*) = count(distinct (labels ->> 'schedule', labels ->> 'fireAt'))"
                    + " from ebb.job"))
        .isTrue();
  }

  @Test
  void a_checkup_finds_a_cluster_that_fires_well() throws Exception {
    cron.put(CronBench.cron("yearly", "@yearly"));
    cron.node("a");
    cron.await(FOLLOWS);
    cron.bench.execute("update ebb.schedule set changed_at = now() - interval '1 minute'");

    List<Finding> found = new ArrayList<>();
    DatabaseHealth health = new DatabaseHealth(cron.bench.database);
    Await.until(
        "every figure was read in time",
        () -> {
          found.clear();
          Checkup.of(health.schema()).stream()
              .filter(one -> OF_SCHEDULES.contains(one.code()))
              .forEach(found::add);
          return found.stream().noneMatch(one -> one.verdict() == Verdict.UNKNOWN);
        });

    assertThat(found)
        .hasSameSizeAs(OF_SCHEDULES)
        .allSatisfy(one -> assertThat(one.verdict()).isEqualTo(Verdict.OK))
        .anySatisfy(one -> assertThat(one.summary()).isEqualTo("One node fires schedules."));
  }
}
