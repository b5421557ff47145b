package dev.ebb.db.schedule;

import static dev.ebb.db.schedule.ScheduleBench.HOURLY;
import static dev.ebb.db.schedule.ScheduleBench.MINUTELY;
import static dev.ebb.db.schedule.ScheduleBench.between;
import static dev.ebb.db.schedule.ScheduleBench.schedule;
import static dev.ebb.db.schedule.ScheduleBench.with;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.schedule.Misfires;
import dev.ebb.core.schedule.Misfires.Rule;
import dev.ebb.core.schedule.Overlap;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.schedule.FireView.Result;
import dev.ebb.db.view.JobView;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of due fires, one node at work. */
class FiringTest {
  private static final Timing EVERY_SECOND = new Timing.Every(Duration.ofSeconds(1));

  private ScheduleBench bench;

  @BeforeEach
  void open() {
    bench = new ScheduleBench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Puts it, and lets it have been stopped for so long. */
  private void putStopped(Schedule schedule, Duration age) throws SQLException {
    bench.put(schedule);
    bench.stopped(schedule.name(), age);
  }

  private List<FireView> oldestFirst(String name) throws SQLException {
    return bench.fires(name).reversed();
  }

  private JobView job(FireView fire) throws SQLException {
    return bench.jobs.reads.find(requireNonNull(fire.jobId())).orElseThrow();
  }

  @Test
  void a_due_fire_makes_a_job_and_the_schedule_goes_on() throws SQLException {
    NewJob template = NewJob.builder("echo", "{}").queue("reports").build();
    putStopped(with(schedule("one", HOURLY), template), Duration.ZERO);
    Instant due = requireNonNull(bench.find("one").nextFireAt());

    FireTally fired = bench.fireDue();

    FireView fire = bench.fires("one").getFirst();
    assertThat(fire.result()).isEqualTo(Result.SUBMITTED);
    assertThat(fire.fireAt()).isEqualTo(due);
    assertThat(fire.node()).isEqualTo("node");
    assertThat(job(fire).labels()).containsEntry("schedule", "one");
    assertThat(job(fire).labels()).containsEntry("fireAt", due.toString());
    assertThat(bench.find("one").nextFireAt()).isEqualTo(due.plus(Duration.ofHours(1)));
    assertThat(bench.find("one").version()).isOne();
    assertThat(fired.queues()).containsExactly("reports");
    assertThat(fired.misfires()).isZero();
    assertThat(fired.fires()).hasSize(1);
    assertThat(fired.fires().getFirst().lateness())
        .isEqualTo(Duration.between(due, fire.firedAt()));
    assertThat(bench.fireDue().fires()).isEmpty();
  }

  @Test
  void a_schedule_that_has_ended_is_kept_without_a_next_fire() throws SQLException {
    Instant now = bench.schedules.now();
    bench.put(
        between(
            schedule("one", EVERY_SECOND),
            null,
            now.plusSeconds(3600).truncatedTo(ChronoUnit.SECONDS)));
    bench.jobs.execute(
        "update ebb.schedule set end_at = date_trunc('second', now()) + interval '1 second',"
            + " next_fire_at = date_trunc('second', now())");

    bench.fireDue();

    assertThat(bench.find("one").nextFireAt()).isNull();
    assertThat(bench.fires("one")).hasSize(1);
    assertThat(bench.firing.upcoming(10)).isEmpty();
  }

  // Stopped for three hours, a schedule of each minute has missed 180 fires; one more is on time.

  @Test
  void of_three_hours_of_misfires_skip_makes_no_job_and_says_how_many_there_were()
      throws SQLException {
    putStopped(
        schedule("one", MINUTELY, new Misfires(Rule.SKIP, 100), Overlap.ALLOW),
        Duration.ofHours(3));

    FireTally fired = bench.fireDue();

    assertThat(oldestFirst("one"))
        .extracting(FireView::result)
        .containsExactly(Result.MISFIRED, Result.SUBMITTED);
    assertThat(oldestFirst("one").getFirst().missed()).isEqualTo(179);
    assertThat(fired.misfires()).isEqualTo(180);
    assertThat(bench.jobs.count("ebb.job")).isOne();
  }

  @Test
  void of_three_hours_of_misfires_once_makes_a_job_of_the_latest() throws SQLException {
    putStopped(schedule("one", MINUTELY), Duration.ofHours(3));

    FireTally fired = bench.fireDue();

    List<FireView> fires = oldestFirst("one");
    assertThat(fires).extracting(FireView::result).containsOnly(Result.SUBMITTED).hasSize(2);
    assertThat(fires.getFirst().missed()).isEqualTo(179);
    assertThat(fires.getLast().fireAt())
        .isEqualTo(fires.getFirst().fireAt().plus(Duration.ofMinutes(1)));
    assertThat(fired.misfires()).isEqualTo(180);
    assertThat(fired.fires()).filteredOn(fire -> fire.lateness() == null).hasSize(1);
    assertThat(bench.jobs.count("ebb.job")).isEqualTo(2);
  }

  @Test
  void of_three_hours_of_misfires_all_makes_jobs_of_the_latest_ones() throws SQLException {
    putStopped(
        schedule("one", MINUTELY, new Misfires(Rule.ALL, 100), Overlap.ALLOW), Duration.ofHours(3));

    FireTally fired = bench.fireDue();

    List<FireView> fires = oldestFirst("one");
    assertThat(fires).hasSize(101);
    assertThat(fires.getFirst().missed()).isEqualTo(80);
    assertThat(fires.stream().skip(1)).allMatch(fire -> fire.missed() == 0);
    assertThat(fired.misfires()).isEqualTo(180);
    assertThat(bench.jobs.count("ebb.job")).isEqualTo(101);
  }

  @Test
  void more_fires_than_a_transaction_takes_are_all_fired() throws Exception {
    Misfires most = new Misfires(Rule.ALL, 1_000);
    for (String name : List.of("a", "b")) {
      putStopped(schedule(name, EVERY_SECOND, most, Overlap.ALLOW), Duration.ofHours(1));
    }

    FireTally fired = bench.fireDue();

    assertThat(fired.fires()).hasSizeGreaterThanOrEqualTo(2_120);
    assertThat(bench.jobs.count("ebb.job")).isEqualTo(fired.fires().size());
    // On a busy machine others have come due while these were written.
    Await.until(
        "none is overdue",
        () -> {
          bench.fireDue();
          return !bench.firing.look().overdue();
        });
  }

  /** PostgreSQL ends a transaction that is idle for too long, and the same would come again. */
  @Test
  void fires_that_take_long_to_find_are_left_to_the_next_transaction() throws SQLException {
    bench.put(schedule("s0", EVERY_SECOND));
    bench.jobs.execute(
        """
        insert into ebb.schedule
        select (jsonb_populate_record(s, jsonb_build_object('name', 's' || n))).*
        from ebb.schedule s
        cross join generate_series(1, 199) n
        """);
    bench.jobs.execute(
        """
        update ebb.schedule
        set cron = '* * * * * ?', every_seconds = null,
          next_fire_at = date_trunc('second', now()) - interval '2 days',
          -- With one mark each, all of them would fit.
          end_at = date_trunc('second', now()) - interval '2 minutes'
        """);
    List<String> names = bench.jobs.database.inAutocommit(DueSchedule::names);

    try (Connection connection = TestPostgres.connect(bench.jobs.config);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("set idle_in_transaction_session_timeout = '4s'");
      FireTally fired = DueBatch.fire(connection, "node", names, FireJobs::store);
      connection.commit();

      assertThat(fired.fires()).isNotEmpty();
      assertThat(fired.isAll()).isFalse();
    }
  }

  @Test
  void what_was_fired_before_the_database_failed_is_told() throws SQLException {
    bench.put(schedule("s000", HOURLY));
    bench.jobs.execute(
        """
        insert into ebb.schedule
        select (jsonb_populate_record(s, jsonb_build_object('name', 's' || lpad(n::text, 3, '0')))).*
        from ebb.schedule s
        cross join generate_series(1, 399) n
        """);
    bench.jobs.execute("update ebb.schedule set next_fire_at = origin");
    bench.jobs.execute(
        """
        create function public.die() returns trigger language plpgsql as $$
          begin
            raise exception 'gone' using errcode = '57P01';
          end
        $$;
        create trigger die before insert on ebb.schedule_fire
        for each row when (new.schedule = 's300') execute function public.die();
        """);
    FireTally fired = new FireTally();

    assertThatThrownBy(() -> bench.firing.fireDue(fired)).hasMessageContaining("gone");

    assertThat(fired.fires()).hasSize(Firing.BATCH);
    assertThat(bench.jobs.count("ebb.job")).isEqualTo(Firing.BATCH);
  }

  @Test
  void many_schedules_that_are_due_at_a_time_fire_batch_by_batch() throws SQLException {
    bench.put(schedule("s0", HOURLY));
    bench.jobs.execute(
        """
        insert into ebb.schedule
        select (jsonb_populate_record(s, jsonb_build_object('name', 's' || n))).*
        from ebb.schedule s
        cross join generate_series(1, 449) n
        """);
    bench.jobs.execute("update ebb.schedule set next_fire_at = origin");

    assertThat(bench.firing.upcoming(10)).hasSize(1);
    assertThat(bench.fireDue().fires()).hasSize(450);

    assertThat(bench.jobs.count("ebb.job")).isEqualTo(450);
    assertThat(bench.firing.upcoming(10)).containsExactly(bench.find("s0").nextFireAt());
  }

  @Test
  void the_upcoming_instants_are_the_soonest_ones_each_told_once() throws SQLException {
    for (int minute = 1; minute <= 5; minute++) {
      for (String twin : List.of("a", "b")) {
        bench.put(schedule(twin + minute, new Timing.Every(Duration.ofMinutes(minute))));
      }
    }
    bench.jobs.execute("update ebb.schedule set next_fire_at = '2030-01-01' where name = 'a1'");
    bench.schedules.pause("b1", Bench.ACT);
    bench.jobs.execute(
        "update ebb.schedule b set next_fire_at = a.next_fire_at from ebb.schedule a"
            + " where substr(a.name, 2) = substr(b.name, 2) and a.name < b.name");

    List<Instant> upcoming = bench.firing.upcoming(3);

    assertThat(upcoming)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(2, 4)
                .mapToObj(minute -> {
                  try {
                    return bench.find("a" + minute).nextFireAt();
                  } catch (SQLException e) {
                    throw new AssertionError(e);
                  }
                })
                .toList());
  }

  @Test
  void a_duplicate_is_kept_with_the_job_that_holds_its_key() throws SQLException {
    NewJob once = NewJob.builder("echo", "{}").uniqueKey("once").build();
    putStopped(with(schedule("one", MINUTELY), once), Duration.ofMinutes(5));

    bench.fireDue();

    List<FireView> fires = oldestFirst("one");
    assertThat(fires)
        .extracting(FireView::result)
        .containsExactly(Result.SUBMITTED, Result.DUPLICATE);
    assertThat(fires.getLast().jobId()).isEqualTo(fires.getFirst().jobId());
  }

  @Test
  void overlap_skip_makes_no_job_until_the_last_one_has_ended() throws SQLException {
    putStopped(
        schedule("one", MINUTELY, new Misfires(Rule.ALL, 100), Overlap.SKIP),
        Duration.ofSeconds(310));

    bench.fireDue();
    bench.stopped("one", Duration.ofSeconds(150), Duration.ofSeconds(30));
    bench.fireDue();
    assertThat(oldestFirst("one"))
        .extracting(FireView::result)
        .startsWith(Result.SUBMITTED, Result.OVERLAPPED)
        .filteredOn(Result.SUBMITTED::equals)
        .hasSize(1);
    bench.jobs.completeAll(bench.jobs.claim(9));
    bench.stopped("one", Duration.ofSeconds(60), Duration.ZERO);
    bench.fireDue();

    assertThat(oldestFirst("one").getLast().result()).isEqualTo(Result.SUBMITTED);
    assertThat(bench.jobs.count("ebb.job")).isOne();
  }

  @Test
  void overlap_queue_makes_one_job_after_another_in_the_order_of_the_fires() throws SQLException {
    putStopped(
        schedule("one", MINUTELY, new Misfires(Rule.ALL, 100), Overlap.QUEUE),
        Duration.ofMinutes(4));

    bench.fireDue();
    assertThat(bench.find("one").waiting()).isEqualTo(4);
    for (int done = 0; done < 4; done++) {
      assertThat(bench.startWaiting().fires()).isEmpty();
      bench.jobs.completeAll(bench.jobs.claim(9));
      assertThat(bench.startWaiting().fires())
          .containsExactly(new FireTally.Served(Result.SUBMITTED, null));
      assertThat(bench.jobs.count("ebb.job")).isOne();
    }

    List<FireView> fires = oldestFirst("one");
    assertThat(fires).extracting(FireView::result).containsOnly(Result.SUBMITTED).hasSize(5);
    assertThat(fires).isSortedAccordingTo(Comparator.comparing(FireView::firedAt));
    assertThat(fires)
        .extracting(fire -> job(fire).labels().get("fireAt"))
        .containsExactlyElementsOf(fires.stream().map(fire -> fire.fireAt().toString()).toList());
    assertThat(bench.find("one").waiting()).isZero();
  }

  @Test
  void no_more_fires_wait_than_may_and_a_paused_schedule_starts_none() throws SQLException {
    putStopped(
        schedule("one", EVERY_SECOND, new Misfires(Rule.ALL, 1_000), Overlap.QUEUE),
        Duration.ofHours(1));

    bench.fireDue();
    bench.jobs.completeAll(bench.jobs.claim(9));
    bench.schedules.pause("one", Bench.ACT);

    assertThat(bench.find("one").waiting()).isEqualTo(OverlapLine.MOST);
    assertThat(bench.jobs.count("ebb.schedule_fire where result = 'overlapped'")).isPositive();
    assertThat(bench.startWaiting().fires()).isEmpty();
    assertThat(bench.jobs.count("ebb.job")).isZero();
  }

  @Test
  void waiting_fires_that_somebody_removed_are_waited_for_no_longer() throws SQLException {
    putStopped(
        schedule("one", MINUTELY, new Misfires(Rule.ALL, 100), Overlap.QUEUE),
        Duration.ofMinutes(4));
    bench.fireDue();
    bench.jobs.execute("delete from ebb.schedule_fire where result = 'waiting'");
    bench.jobs.completeAll(bench.jobs.claim(9));

    bench.startWaiting();

    assertThat(bench.find("one").waiting()).isZero();
  }

  @Test
  void a_job_that_cannot_be_stored_is_refused_alone_and_says_why() throws SQLException {
    for (String name : List.of("a", "b", "c")) {
      NewJob template = NewJob.builder("echo", "{}").queue(name).build();
      putStopped(with(schedule(name, HOURLY), template), Duration.ZERO);
    }
    bench.jobs.execute("alter table ebb.job add check (queue <> 'b') not valid");

    FireTally fired = bench.fireDue();

    assertThat(fired.failures()).isEmpty();
    assertThat(fired.queues()).containsExactlyInAnyOrder("a", "c");
    assertThat(bench.fires("b"))
        .singleElement()
        .satisfies(fire -> assertThat(fire.error()).contains("a constraint is broken"));
    assertThat(requireNonNull(bench.find("b").nextFireAt())).isAfter(bench.schedules.now());
  }

  @Test
  void a_unique_key_that_is_too_long_once_filled_is_refused_alone() throws SQLException {
    String name = "n".repeat(63);
    NewJob template = NewJob.builder("echo", "{}").uniqueKey("once").build();
    putStopped(with(schedule(name, HOURLY), template), Duration.ZERO);
    bench.jobs.execute(
        "update ebb.schedule set job['uniqueKey'] = to_jsonb(repeat('{schedule}', 4))");
    putStopped(schedule("other", HOURLY), Duration.ZERO);

    FireTally fired = bench.fireDue();

    assertThat(bench.fires("other")).hasSize(1);
    assertThat(fired.failures().keySet()).isSubsetOf(name);
  }

  @Test
  void a_row_that_this_version_cannot_read_delays_itself_alone() throws SQLException {
    for (String name : List.of("a", "b", "c")) {
      putStopped(schedule(name, HOURLY), Duration.ZERO);
    }
    bench.jobs.execute("update ebb.schedule set zone = 'Mars/Olympus' where name = 'b'");

    FireTally fired = bench.fireDue();

    assertThat(fired.failures()).containsOnlyKeys("b");
    assertThat(fired.fires()).hasSize(2);
  }

  @Test
  void a_row_that_somebody_has_locked_delays_itself_alone() throws SQLException {
    for (String name : List.of("a", "b", "c")) {
      putStopped(schedule(name, HOURLY), Duration.ZERO);
    }
    try (Connection holder = TestPostgres.connect(bench.jobs.config);
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("select from ebb.schedule where name = 'b' for update");

      FireTally fired = bench.fireDue();

      assertThat(fired.failures()).containsOnlyKeys("b");
      assertThat(fired.fires()).hasSize(2);
      holder.rollback();
    }
    assertThat(bench.fires("b")).isEmpty();
    assertThat(bench.fireDue().fires()).hasSize(1);
  }

  @Test
  void a_unique_key_that_an_open_transaction_holds_delays_its_schedule_alone() throws SQLException {
    for (String name : List.of("a", "b", "c")) {
      NewJob template = NewJob.builder("echo", "{}").uniqueKey(name).build();
      putStopped(with(schedule(name, HOURLY), template), Duration.ZERO);
    }
    try (Connection holder = TestPostgres.connect(bench.jobs.config);
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute(
          """
          insert into ebb.job (run_at, max_attempts, priority, queue, kind, payload, unique_key)
          values (now(), 1, 5, 'default', 'echo', '{}', 'b')
          """);

      FireTally fired = bench.fireDue();

      assertThat(fired.failures()).containsOnlyKeys("b");
      assertThat(fired.fires()).hasSize(2);
      holder.rollback();
    }
    assertThat(bench.fireDue().fires()).hasSize(1);
  }

  @Test
  void a_server_that_is_too_slow_for_several_is_not_asked_for_each() throws SQLException {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      putStopped(schedule(name, HOURLY), Duration.ZERO);
    }
    slowFor("true");
    assertThat(bench.fireDue().failures()).hasSize(2);

    slowFor("new.schedule = 'b'");
    FireTally fired = bench.fireDue();
    assertThat(fired.failures()).containsOnlyKeys("b");
    assertThat(fired.fires()).hasSize(4);
  }

  /** The server cancels what stores such a fire, as it does when its time is over. */
  private void slowFor(String condition) throws SQLException {
    bench.jobs.execute(
        """
        create or replace function cancelled() returns trigger language plpgsql as $$
        begin
          if %s then
            raise query_canceled;
          end if;
          return new;
        end $$
        """
            .formatted(condition));
    bench.jobs.execute(
        "create or replace trigger slow before insert on ebb.schedule_fire"
            + " for each row execute function cancelled()");
  }
}
