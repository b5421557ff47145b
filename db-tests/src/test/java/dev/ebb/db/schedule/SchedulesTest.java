package dev.ebb.db.schedule;

import static dev.ebb.db.schedule.ScheduleBench.HOURLY;
import static dev.ebb.db.schedule.ScheduleBench.MINUTELY;
import static dev.ebb.db.schedule.ScheduleBench.between;
import static dev.ebb.db.schedule.ScheduleBench.cron;
import static dev.ebb.db.schedule.ScheduleBench.schedule;
import static dev.ebb.db.schedule.ScheduleBench.with;
import static dev.ebb.db.schedule.ScheduleBench.zone;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.schedule.Exclusions;
import dev.ebb.core.schedule.Misfires;
import dev.ebb.core.schedule.Overlap;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.Bench;
import dev.ebb.db.audit.AuditEntry;
import dev.ebb.db.audit.AuditFilter;
import dev.ebb.db.audit.AuditReads;
import java.sql.SQLException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulesTest {
  /** Later sessions see a clock that knows nothing smaller. */
  private static final String WHOLE_SECONDS =
      """
      create schema faked;
      create function faked.clock_timestamp() returns timestamptz language sql stable as
        $$ select date_trunc('second', pg_catalog.clock_timestamp()) $$;
      do $$ begin
        execute format('alter database %I set search_path = faked, pg_catalog', current_database());
      end $$;
      """;

  private static final Act ADA = new Act("ada", "0a1b2c3d", "192.0.2.7", "stock-taking");

  private ScheduleBench bench;

  @BeforeEach
  void open() {
    bench = new ScheduleBench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private List<String> audited() throws SQLException {
    AuditFilter filter = new AuditFilter(null, "schedule", null, null, null, null);
    return new AuditReads(bench.jobs.database)
        .list(filter, 200).entries().reversed().stream().map(AuditEntry::action).toList();
  }

  private FireView run(String name) throws SQLException {
    return ((HandRun.Done) bench.schedules.run(name, ADA).orElseThrow()).fire();
  }

  private static Schedule whole() {
    NewJob template =
        NewJob.builder("echo", "{\"a\" : 1.50, \"\\ud83d\\u0000\":\"\\\" 🙂\"}")
            .queue("reports")
            .priority(3)
            .maxAttempts(4)
            .policy(Presets.policy("ethernet"))
            .uniqueKey("{schedule}-{date}")
            .timeout(Duration.ofMillis(1500))
            .labels(Map.of("team", "payments"))
            .build();
    return new Schedule(
        "settlement",
        cron("0 9 * * 1-5"),
        zone("America/Sao_Paulo"),
        Instant.parse("2027-01-01T00:00:00Z"),
        Instant.parse("2030-01-01T00:00:00Z"),
        new Exclusions(
            new TreeSet<>(List.of(DayOfWeek.SATURDAY)),
            new TreeSet<>(List.of(LocalDate.parse("2027-01-01"))),
            new TreeSet<>(List.of(MonthDay.parse("--12-25")))),
        template,
        new Misfires(Misfires.Rule.ALL, 7),
        Overlap.QUEUE);
  }

  @Test
  void a_schedule_comes_back_as_it_was_put() throws SQLException {
    ScheduleView put = bench.put(whole());

    assertThat(put.schedule().timing().toString()).isNotNull();
    assertThat(put.schedule().template()).isEqualTo(whole().template());
    assertThat(put.schedule().exclusions()).isEqualTo(whole().exclusions());
    assertThat(put.schedule().misfires()).isEqualTo(whole().misfires());
    assertThat(put.schedule().overlap()).isEqualTo(Overlap.QUEUE);
    assertThat(put.schedule().zone()).isEqualTo(zone("America/Sao_Paulo"));
    assertThat(put.schedule().startAt()).isEqualTo(whole().startAt());
    assertThat(put.schedule().endAt()).isEqualTo(whole().endAt());
    assertThat(put.nextFireAt()).isEqualTo(Instant.parse("2027-01-04T12:00:00Z"));
    assertThat(put.version()).isOne();
    assertThat(bench.find("settlement")).usingRecursiveComparison().isEqualTo(put);
  }

  @Test
  void an_interval_counts_from_its_creation_and_goes_on_when_it_is_put_again() throws SQLException {
    ScheduleView created = bench.put(schedule("hourly", HOURLY));
    bench.stopped("hourly", Duration.ofMinutes(59), Duration.ofMinutes(-1));
    Instant origin = bench.find("hourly").origin();

    ScheduleView same = bench.put(with(schedule("hourly", HOURLY), NewJob.of("other", "{}")));
    ScheduleView other = bench.put(schedule("hourly", MINUTELY));

    // The row is written within the same second, or in the next.
    assertThat(created.origin())
        .isEqualTo(created.origin().truncatedTo(ChronoUnit.SECONDS))
        .isBetween(
            created.createdAt().truncatedTo(ChronoUnit.SECONDS),
            created.createdAt().plusSeconds(5));
    assertThat(created.nextFireAt()).isEqualTo(created.origin().plus(Duration.ofHours(1)));
    assertThat(same.nextFireAt()).isEqualTo(origin.plus(Duration.ofHours(1)));
    assertThat(same.schedule().template().kind()).isEqualTo("other");
    assertThat(same.version()).isEqualTo(2);
    assertThat(other.origin()).isAfterOrEqualTo(created.origin());
    assertThat(other.createdAt()).isEqualTo(created.createdAt());
  }

  @Test
  void a_schedule_that_is_put_again_keeps_its_due_fires_unless_its_times_change()
      throws SQLException {
    bench.put(schedule("hourly", HOURLY));
    bench.stopped("hourly", Duration.ofHours(3), Duration.ofHours(2));
    Instant due = bench.find("hourly").nextFireAt();

    ScheduleView same = bench.put(with(schedule("hourly", HOURLY), NewJob.of("other", "{}")));
    ScheduleView other = bench.put(schedule("hourly", MINUTELY));

    assertThat(same.nextFireAt()).isEqualTo(due);
    assertThat(other.nextFireAt()).isAfter(bench.schedules.now().minusSeconds(1));
  }

  @Test
  void a_next_fire_that_is_too_late_is_computed_anew_by_a_put() throws SQLException {
    bench.put(schedule("hourly", HOURLY));
    bench.jobs.execute("update ebb.schedule set next_fire_at = next_fire_at + interval '30 days'");

    assertThat(bench.put(schedule("hourly", HOURLY)).nextFireAt())
        .isBefore(bench.schedules.now().plus(Duration.ofHours(2)));
  }

  @Test
  void a_schedule_that_will_not_fire_any_more_is_refused_and_nothing_is_stored() {
    Instant past = Instant.parse("2020-01-01T00:00:00Z");
    Schedule over = between(schedule("over", HOURLY), past, past.plusSeconds(86_400));

    assertThatThrownBy(() -> bench.put(over))
        .isInstanceOfSatisfying(InvalidInput.class, e -> assertThat(e.field()).isEqualTo("endAt"));
    assertThatThrownBy(() -> bench.put(schedule("never", cron("0 0 30 2 *"))))
        .isInstanceOfSatisfying(InvalidInput.class, e -> assertThat(e.field()).isEqualTo("cron"));
    Schedule notJson = with(schedule("text", HOURLY), NewJob.of("echo", "no json"));
    assertThatThrownBy(() -> bench.put(notJson))
        .isInstanceOfSatisfying(
            InvalidInput.class, e -> assertThat(e.field()).startsWith("payload"));
    assertThat(count("ebb.schedule")).isZero();
    assertThat(count("ebb.audit")).isZero();
  }

  private long count(String table) {
    try {
      return bench.jobs.count(table);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_condition_is_told_what_there_is_and_may_leave_it_so() throws SQLException {
    ScheduleView first = bench.put(schedule("one", HOURLY));
    AtomicInteger asked = new AtomicInteger();

    assertThatThrownBy(() ->
            bench.schedules.put(
                schedule("one", MINUTELY),
                Bench.ACT,
                there -> {
                  assertThat(there.orElseThrow().version()).isEqualTo(first.version());
                  asked.incrementAndGet();
                  throw new IllegalStateException("changed");
                }))
        .hasMessage("changed");
    assertThatThrownBy(() ->
            bench.schedules.delete(
                "one",
                Bench.ACT,
                _ -> {
                  throw new IllegalStateException("kept");
                }))
        .hasMessage("kept");

    assertThat(asked).hasValue(1);
    assertThat(bench.find("one").nextFireAt()).isEqualTo(first.nextFireAt());
  }

  @Test
  void no_more_schedules_than_may_be_stored_are() throws SQLException {
    bench.put(schedule("a", HOURLY));
    bench.jobs.execute(
        """
        insert into ebb.schedule
        select (jsonb_populate_record(s, jsonb_build_object('name', 'b' || n))).*
        from ebb.schedule s
        cross join generate_series(2, %s) n
        """
            .formatted(Schedules.MOST));

    assertThatThrownBy(() -> bench.put(schedule("c", HOURLY))).isInstanceOf(InvalidInput.class);

    assertThat(bench.schedules.find("c")).isEmpty();
    assertThat(bench.put(schedule("a", MINUTELY)).version()).isEqualTo(2);
  }

  @Test
  void pages_follow_the_names() throws SQLException {
    for (String name : List.of("b", "a", "c")) {
      bench.put(schedule(name, HOURLY));
    }

    SchedulePage first = bench.schedules.page(null, 2);
    SchedulePage second = bench.schedules.page(first.next(), 2);

    assertThat(first.schedules())
        .extracting(view -> view.schedule().name())
        .containsExactly("a", "b");
    assertThat(second.schedules()).extracting(view -> view.schedule().name()).containsExactly("c");
    assertThat(second.next()).isNull();
  }

  @Test
  void a_row_that_this_version_cannot_read_keeps_no_page_from_the_others() throws SQLException {
    for (String name : List.of("a", "b", "c")) {
      bench.put(schedule(name, HOURLY));
    }
    bench.jobs.execute("update ebb.schedule set zone = 'Mars/Olympus' where name = 'b'");

    SchedulePage page = bench.schedules.page(null, 2);

    assertThat(page.schedules()).extracting(view -> view.schedule().name()).containsExactly("a");
    assertThat(bench.schedules.page(page.next(), 2).schedules()).hasSize(1);
  }

  @Test
  void a_pause_says_who_since_when_and_why_and_the_first_one_counts() throws SQLException {
    ScheduleView created = bench.put(schedule("one", HOURLY));

    ScheduleView paused = bench.schedules.pause("one", ADA).orElseThrow();
    ScheduleView again = bench.schedules.pause("one", Bench.ACT).orElseThrow();

    assertThat(requireNonNull(paused.pause()).by()).isEqualTo("ada");
    assertThat(requireNonNull(paused.pause()).reason()).isEqualTo("stock-taking");
    assertThat(paused.version()).isEqualTo(2);
    assertThat(paused.nextFireAt()).isEqualTo(created.nextFireAt());
    assertThat(again).usingRecursiveComparison().isEqualTo(paused);
    assertThat(audited()).containsExactly("schedule.put", "schedule.pause");
    assertThat(bench.schedules.pause("none", ADA)).isEmpty();
  }

  @Test
  void a_resume_drops_the_fires_that_came_meanwhile() throws SQLException {
    bench.put(schedule("one", HOURLY));
    bench.schedules.pause("one", ADA);
    bench.stopped("one", Duration.ofMinutes(200), Duration.ofMinutes(80));

    ScheduleView resumed = bench.schedules.resume("one", ADA).orElseThrow();

    assertThat(resumed.pause()).isNull();
    assertThat(resumed.nextFireAt()).isEqualTo(resumed.origin().plus(Duration.ofHours(4)));
    assertThat(resumed.version()).isEqualTo(3);
    assertThat(bench.schedules.resume("one", ADA).orElseThrow().version()).isEqualTo(3);
    assertThat(audited()).containsExactly("schedule.put", "schedule.pause", "schedule.resume");
    assertThat(bench.fireDue().fires()).isEmpty();
  }

  @Test
  void a_schedule_that_is_paused_stays_so_when_it_is_put_again() throws SQLException {
    bench.put(schedule("one", HOURLY));
    bench.schedules.pause("one", ADA);

    assertThat(requireNonNull(bench.put(schedule("one", MINUTELY)).pause()).by()).isEqualTo("ada");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{fireAt}", "{epoch}", "{date} {time}"})
  void two_runs_by_hand_in_one_second_are_two_jobs(String key) throws SQLException {
    bench.put(with(schedule("one", HOURLY), NewJob.builder("echo", "{}").uniqueKey(key).build()));
    for (int i = 0; i < 10; i++) {
      assertThat(run("one").result()).isEqualTo(FireView.Result.SUBMITTED);
    }
  }

  @Test
  void a_run_by_hand_at_a_whole_second_is_told_from_the_fire_of_it() throws SQLException {
    bench.put(schedule("one", HOURLY));
    bench.jobs.execute(WHOLE_SECONDS);
    try (ScheduleBench later = new ScheduleBench(bench.jobs.config)) {
      HandRun run = later.schedules.run("one", ADA).orElseThrow();
      Instant at = ((HandRun.Done) run).fire().fireAt();

      assertThat(at).isNotEqualTo(at.truncatedTo(ChronoUnit.SECONDS));
    }
  }

  @Test
  void a_run_by_hand_makes_a_job_at_once_with_its_labels_even_while_it_is_paused()
      throws SQLException {
    bench.put(
        with(
            schedule("one", HOURLY), NewJob.builder("echo", "{}").uniqueKey("{schedule}").build()));
    bench.schedules.pause("one", ADA);

    FireView first = run("one");
    FireView second = run("one");

    assertThat(first.result()).isEqualTo(FireView.Result.SUBMITTED);
    assertThat(first.byHand()).isTrue();
    assertThat(first.node()).isNull();
    assertThat(bench.jobs.reads.find(requireNonNull(first.jobId())).orElseThrow().labels())
        .containsEntry("schedule", "one")
        .containsEntry("fireAt", first.fireAt().toString());
    assertThat(second.result()).isEqualTo(FireView.Result.DUPLICATE);
    assertThat(second.jobId()).isEqualTo(first.jobId());
    assertThat(bench.find("one").last()).isEqualTo(second);
    assertThat(audited()).endsWith("schedule.run", "schedule.run");
    assertThat(bench.schedules.run("none", ADA)).isEmpty();
  }

  @Test
  void overlap_forbids_a_run_by_hand_until_the_job_before_has_ended() throws SQLException {
    for (Overlap overlap : List.of(Overlap.SKIP, Overlap.QUEUE)) {
      String name = overlap.word();
      bench.put(schedule(name, HOURLY, Misfires.DEFAULT, overlap));
      bench.schedules.run(name, ADA);

      HandRun second = bench.schedules.run(name, ADA).orElseThrow();
      bench.jobs.completeAll(bench.jobs.claim(1));
      FireView third = run(name);
      bench.jobs.completeAll(bench.jobs.claim(1));

      assertThat(second).isEqualTo(new HandRun.Barred(0));
      assertThat(third.result()).isEqualTo(FireView.Result.SUBMITTED);
      assertThat(bench.fires(name)).hasSize(2);
    }
  }

  @Test
  void an_interval_that_stays_may_end_after_its_next_fire_however_soon_that_is()
      throws SQLException {
    Timing daily = new Timing.Every(Duration.ofDays(1));
    bench.put(schedule("one", daily));
    bench.stopped("one", Duration.ofHours(23), Duration.ofHours(-1));
    Instant next = requireNonNull(bench.find("one").nextFireAt());

    bench.put(between(schedule("one", daily), null, next.plusSeconds(60)));

    assertThat(bench.find("one").nextFireAt()).isEqualTo(next);
  }

  @Test
  void a_run_by_hand_is_told_of_the_fires_that_a_paused_schedule_keeps_waiting()
      throws SQLException {
    Misfires all = new Misfires(Misfires.Rule.ALL, 100);
    bench.put(schedule("one", MINUTELY, all, Overlap.QUEUE));
    bench.stopped("one", Duration.ofMinutes(3));
    bench.fireDue();
    bench.schedules.pause("one", ADA);
    bench.jobs.completeAll(bench.jobs.claim(1));

    HandRun run = bench.schedules.run("one", ADA).orElseThrow();

    assertThat(run).isEqualTo(new HandRun.Barred(3));
  }

  @Test
  void a_job_that_the_database_refuses_is_kept_with_the_reason() throws SQLException {
    bench.put(schedule("one", HOURLY));
    bench.jobs.execute("alter table ebb.job add check (queue <> 'default') not valid");

    FireView refused = run("one");

    assertThat(refused.result()).isEqualTo(FireView.Result.REFUSED);
    assertThat(refused.error()).contains("constraint");
    assertThat(refused.jobId()).isNull();
  }

  @Test
  void a_deleted_schedule_takes_its_fires_along_and_leaves_its_jobs() throws SQLException {
    bench.put(schedule("one", HOURLY));
    bench.put(schedule("two", HOURLY));
    bench.schedules.run("one", ADA);
    bench.schedules.run("two", ADA);

    assertThat(bench.schedules.delete("one", ADA, _ -> {})).isTrue();
    assertThat(bench.schedules.delete("one", ADA, _ -> {})).isFalse();

    assertThat(bench.schedules.find("one")).isEmpty();
    assertThat(bench.fires("one")).isEmpty();
    assertThat(bench.fires("two")).hasSize(1);
    assertThat(bench.jobs.count("ebb.job")).isEqualTo(2);
    assertThat(audited()).endsWith("schedule.delete");
  }

  @Test
  void fires_are_read_page_by_page_the_newest_first() throws SQLException {
    bench.put(schedule("one", HOURLY));
    for (int run = 0; run < 3; run++) {
      bench.schedules.run("one", ADA);
    }

    FirePage first = bench.schedules.fires("one", null, 2);
    FirePage second = bench.schedules.fires("one", first.next(), 2);

    assertThat(first.fires().getFirst()).isEqualTo(bench.find("one").last());
    assertThat(second.fires()).hasSize(1);
    assertThat(second.next()).isNull();
    assertThat(second.fires().getFirst().fireAt()).isBefore(first.fires().getLast().fireAt());
  }

  @Test
  void the_last_fires_of_several_schedules_are_read_at_once() throws SQLException {
    for (String name : List.of("one", "two", "three")) {
      bench.put(schedule(name, HOURLY));
    }
    for (int i = 0; i < 3; i++) {
      bench.schedules.run("one", Bench.ACT);
    }
    bench.schedules.run("two", Bench.ACT);

    Map<String, List<FireView>> recent =
        bench.schedules.recent(List.of("one", "two", "three", "none"), 2);

    assertThat(recent).containsOnlyKeys("one", "two");
    assertThat(recent.get("one")).isEqualTo(bench.schedules.fires("one", null, 2).fires());
    assertThat(recent.get("two")).hasSize(1);
  }

  @Test
  void of_two_that_create_it_at_a_time_the_second_replaces_it() throws Exception {
    List<Optional<Long>> versions =
        List.of(1, 2).parallelStream()
            .map(_ -> {
              try {
                return Optional.of(bench.put(schedule("one", HOURLY)).version());
              } catch (SQLException e) {
                return Optional.<Long>empty();
              }
            })
            .toList();

    assertThat(versions).containsExactlyInAnyOrder(Optional.of(1L), Optional.of(2L));
  }
}
