package dev.ebb.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class DueFiresTest {
  private static final Instant START = Instant.parse("2027-03-28T00:00:00Z");

  private static DueFires due(Plan plan, Instant nextFireAt, Instant now) {
    return DueFires.of(plan.made(), START, nextFireAt, now);
  }

  /** Of a schedule that should fire from 00:00 on, and is served again at 03:00. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          * * * * * | SKIP | 100 | 179 misfires, 179 without a job, last 02:58; 2 jobs from 02:59; then 03:01
          * * * * * | ONCE | 100 | 179 misfires, 178 without a job; 3 jobs from 02:58; then 03:01
          * * * * * | ALL | 100 | 179 misfires, 79 without a job; 102 jobs from 01:19; then 03:01
          * * * * * | ALL | 179 | 179 misfires, 0 without a job; 181 jobs from 00:00; then 03:01
          0 * * * * | SKIP | 100 | 3 misfires, 3 without a job, last 02:00; 1 jobs from 03:00; then 04:00
          0 * * * * | ONCE | 100 | 3 misfires, 2 without a job; 2 jobs from 02:00; then 04:00
          0 * * * * | ALL | 2 | 3 misfires, 1 without a job; 3 jobs from 01:00; then 04:00
          PT1S | SKIP | 1 | 10740 misfires, 10740 without a job, last 02:58:59; 61 jobs from 02:59; then 03:00:01
          PT1S | ONCE | 1 | 10740 misfires, 10739 without a job; 62 jobs from 02:58:59; then 03:00:01
          PT1S | ALL | 100 | 10740 misfires, 10640 without a job; 161 jobs from 02:57:20; then 03:00:01
          0 0 28 3 * | SKIP | 100 | 1 misfires, 1 without a job, last 00:00; 0 jobs; then 00:00
          0 0 28 3 * | ONCE | 100 | 1 misfires, 0 without a job; 1 jobs from 00:00; then 00:00
          0 0 28 3 * | ALL | 100 | 1 misfires, 0 without a job; 1 jobs from 00:00; then 00:00
          """)
  void after_a_stop_of_three_hours_each_rule_counts_exactly(
      String timing, Misfires.Rule rule, int most, String expected) {
    Plan plan = timing.startsWith("P") ? Plan.every(timing) : Plan.cron(timing);
    DueFires due = due(plan.on(rule, most), START, START.plus(Duration.ofHours(3)));
    assertThat(told(due)).isEqualTo(expected);
  }

  private static String told(DueFires due) {
    String last = due.lastSkipped() == null ? "" : ", last " + time(due.lastSkipped());
    String first = due.fires().isEmpty() ? "" : " from " + time(due.fires().getFirst());
    return due.misfires()
        + " misfires, "
        + due.missed()
        + " without a job"
        + last
        + "; "
        + due.fires().size()
        + " jobs"
        + first
        + "; then "
        + time(due.next());
  }

  private static String time(@Nullable Instant instant) {
    return instant == null ? "never" : instant.atZone(TimeZones.UTC).toLocalTime().toString();
  }

  @Test
  void a_fire_is_a_misfire_once_it_is_more_than_a_minute_late() {
    Plan plan = Plan.cron("0 0 * * *").on(Misfires.Rule.SKIP, 1);
    assertThat(due(plan, START, START).fires()).containsExactly(START);
    assertThat(due(plan, START, START.plusSeconds(60)).fires()).containsExactly(START);
    assertThat(due(plan, START, START.plusSeconds(60).plusNanos(1000)))
        .isEqualTo(new DueFires(List.of(), 1, 1, START, START.plus(Duration.ofDays(1))));
  }

  /** As if the rules of its zone had changed since the next fire was computed. */
  @Test
  void a_stored_fire_is_one_even_if_no_rule_names_it_any_more() {
    Plan plan = Plan.cron("0 * * * *").on(Misfires.Rule.ALL, 10);
    Instant stored = START.plusSeconds(1800);
    Instant hour = START.plusSeconds(3600);

    assertThat(due(plan, stored, stored))
        .isEqualTo(new DueFires(List.of(stored), 0, 0, null, hour));
    assertThat(due(plan, stored, hour.plusSeconds(120)))
        .isEqualTo(new DueFires(List.of(stored, hour), 2, 0, null, hour.plusSeconds(3600)));
    assertThat(due(plan.on(Misfires.Rule.SKIP, 1), stored, stored.plusSeconds(90)))
        .isEqualTo(new DueFires(List.of(), 1, 1, stored, hour));
    assertThat(due(plan, stored, START)).isEqualTo(new DueFires(List.of(), 0, 0, null, stored));
  }

  @Test
  void before_the_next_fire_nothing_is_due() {
    Plan plan = Plan.cron("* * * * *");
    Instant next = START.plusSeconds(600);
    assertThat(due(plan, next, START)).isEqualTo(new DueFires(List.of(), 0, 0, null, next));
    assertThat(due(plan, next, next.minusNanos(1)).fires()).isEmpty();
  }

  @Test
  void the_last_fire_has_none_after_it() {
    Plan plan = Plan.cron("* * * * *").until("2027-03-28T00:02:00Z");
    assertThat(due(plan, START, START.plusSeconds(110)))
        .isEqualTo(new DueFires(List.of(START, START.plusSeconds(60)), 1, 0, null, null));
  }

  @ParameterizedTest
  @EnumSource
  void a_year_of_seconds_is_counted_to_the_bound_and_the_latest_are_found(Misfires.Rule rule) {
    Instant now = START.plus(Duration.ofDays(365));
    DueFires due = due(Plan.cron("* * * * * ?").on(rule, 1_000), START, now);
    int late = new Misfires(rule, 1_000).mostJobs();
    assertThat(due.misfires()).isEqualTo(DueFires.MOST_COUNTED);
    assertThat(due.missed()).isEqualTo(DueFires.MOST_COUNTED - late);
    assertThat(due.fires())
        .isEqualTo(
            Stream.iterate(now.minusSeconds(60 + late), at -> at.plusSeconds(1))
                .limit(61 + late)
                .toList());
    assertThat(due.lastSkipped()).isEqualTo(late == 0 ? now.minusSeconds(61) : null);
  }

  /** The seconds of one hour of the year lie far behind the bound, and eleven months back. */
  @Test
  void the_latest_misfires_are_found_wherever_they_are() {
    Plan plan = Plan.cron("* * * 1 4 ?").on(Misfires.Rule.ALL, 3);
    assertThat(due(plan, START, START.plus(Duration.ofDays(364))).fires())
        .containsExactly(
            Instant.parse("2027-04-01T23:59:57Z"),
            Instant.parse("2027-04-01T23:59:58Z"),
            Instant.parse("2027-04-01T23:59:59Z"));
  }

  /** Around both changes of the clocks, and over days without fires. */
  @ParameterizedTest
  @EnumSource
  void each_due_fire_makes_a_job_or_is_counted_and_none_twice(Misfires.Rule rule) {
    SplittableRandom random = new SplittableRandom(15);
    List<Plan> plans =
        List.of(
            Plan.cron("*/5 * * * *"),
            Plan.cron("0/20 * 2 * * ?"),
            Plan.cron("30 2 * * *"),
            Plan.every("PT7M"),
            Plan.every("PT50S"));
    for (int i = 0; i < 200; i++) {
      Plan plan = plans.get(i % plans.size()).in("Europe/Berlin").without("2027-03-30");
      Schedule schedule = plan.on(rule, 1 + random.nextInt(20)).made();
      Instant begin =
          Instant.parse(random.nextBoolean() ? "2027-03-27T00:00:00Z" : "2027-10-30T00:00:00Z");
      Instant nextFireAt = fireAfter(schedule, begin.plusSeconds(random.nextInt(86_400)));
      Instant now = nextFireAt.plusSeconds(random.nextInt(i % 2 == 0 ? 200 : 300_000));
      agree(schedule, nextFireAt, now);
    }
  }

  private static Instant fireAfter(Schedule schedule, Instant after) {
    Fire fire = FireTimes.next(schedule, START, after);
    assertThat(fire).isNotNull();
    return fire == null ? after : fire.at();
  }

  private static void agree(Schedule schedule, Instant nextFireAt, Instant now) {
    DueFires due = DueFires.of(schedule, START, nextFireAt, now);
    List<Instant> misfires = new ArrayList<>();
    List<Instant> onTime = new ArrayList<>();
    Instant at = nextFireAt;
    while (!at.isAfter(now)) {
      (at.plusSeconds(60).isBefore(now) ? misfires : onTime).add(at);
      at = fireAfter(schedule, at);
    }
    int late = Math.min(misfires.size(), schedule.misfires().mostJobs());
    List<Instant> fires =
        new ArrayList<>(misfires.subList(misfires.size() - late, misfires.size()));
    fires.addAll(onTime);
    assertThat(due)
        .isEqualTo(
            new DueFires(
                fires,
                misfires.size(),
                misfires.size() - late,
                late > 0 || misfires.isEmpty() ? null : misfires.getLast(),
                at));
    assertThat(due.fires().size() + due.missed()).isEqualTo(misfires.size() + onTime.size());
  }
}
