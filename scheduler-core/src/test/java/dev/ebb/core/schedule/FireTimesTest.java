package dev.ebb.core.schedule;

import static java.time.DayOfWeek.SATURDAY;
import static java.time.DayOfWeek.SUNDAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ebb.core.CpuTime;
import dev.ebb.core.InvalidInput;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FireTimesTest {
  private static final Instant CREATED = Instant.parse("2027-01-01T00:00:00Z");

  private static List<Fire> fires(Plan plan, String after, int count) {
    return FireTimes.next(plan.made(), CREATED, Instant.parse(after), count);
  }

  private static List<String> times(Plan plan, String after, int count) {
    return fires(plan, after, count).stream().map(fire -> fire.at().toString()).toList();
  }

  private static Fire fire(String at, Fire.Shift shift) {
    return new Fire(Instant.parse(at), shift);
  }

  @Test
  void a_time_in_a_gap_fires_at_the_first_instant_after_it() {
    assertThat(fires(Plan.cron("30 2 * * *").in("Europe/Berlin"), "2027-03-27T12:00:00Z", 2))
        .containsExactly(
            fire("2027-03-28T01:00:00Z", Fire.Shift.GAP),
            fire("2027-03-29T00:30:00Z", Fire.Shift.NONE));
    assertThat(fires(Plan.cron("15 2 * * *").in("Australia/Lord_Howe"), "2027-10-02T12:00:00Z", 1))
        .containsExactly(fire("2027-10-02T15:30:00Z", Fire.Shift.GAP));
  }

  @Test
  void a_time_in_an_overlap_fires_once_at_its_first_time() {
    assertThat(fires(Plan.cron("30 2 * * *").in("Europe/Berlin"), "2027-10-30T12:00:00Z", 2))
        .containsExactly(
            fire("2027-10-31T00:30:00Z", Fire.Shift.OVERLAP),
            fire("2027-11-01T01:30:00Z", Fire.Shift.NONE));
    assertThat(fires(Plan.cron("*/20 0-22 * * *").in("Europe/Berlin"), "2027-10-31T00:20:00Z", 2))
        .containsExactly(
            fire("2027-10-31T00:40:00Z", Fire.Shift.OVERLAP),
            fire("2027-10-31T02:00:00Z", Fire.Shift.NONE));
  }

  @Test
  void wildcard_hours_go_by_the_time_that_passes() {
    assertThat(times(Plan.cron("*/15 * * * *").in("Europe/Berlin"), "2026-10-24T23:45:00Z", 11))
        .as("no hour without a fire in autumn")
        .containsExactly(
            "2026-10-25T00:00:00Z",
            "2026-10-25T00:15:00Z",
            "2026-10-25T00:30:00Z",
            "2026-10-25T00:45:00Z",
            "2026-10-25T01:00:00Z",
            "2026-10-25T01:15:00Z",
            "2026-10-25T01:30:00Z",
            "2026-10-25T01:45:00Z",
            "2026-10-25T02:00:00Z",
            "2026-10-25T02:15:00Z",
            "2026-10-25T02:30:00Z");
    assertThat(times(Plan.cron("10 * * * *").in("Europe/Berlin"), "2026-03-28T23:30:00Z", 3))
        .as("none is made up in spring")
        .containsExactly("2026-03-29T00:10:00Z", "2026-03-29T01:10:00Z", "2026-03-29T02:10:00Z");
    assertThat(fires(Plan.cron("0 30 * * * ?").in("Europe/Berlin"), "2027-10-31T00:00:00Z", 2))
        .containsExactly(
            fire("2027-10-31T00:30:00Z", Fire.Shift.NONE),
            fire("2027-10-31T01:30:00Z", Fire.Shift.NONE));
  }

  /** As in Vixie's cron, whose field is a wildcard if it begins with an asterisk. */
  @Test
  void a_step_of_wildcard_hours_is_one_too_and_fires_at_what_the_clocks_show() {
    assertThat(times(Plan.cron("0 */2 * * *").in("Europe/Berlin"), "2027-10-30T21:00:00Z", 4))
        .containsExactly(
            "2027-10-30T22:00:00Z",
            "2027-10-31T00:00:00Z",
            "2027-10-31T01:00:00Z",
            "2027-10-31T03:00:00Z");
    assertThat(times(Plan.cron("0 0-22/2 * * *").in("Europe/Berlin"), "2027-10-30T21:00:00Z", 3))
        .containsExactly("2027-10-30T22:00:00Z", "2027-10-31T00:00:00Z", "2027-10-31T03:00:00Z");
  }

  @Test
  void the_last_of_all_fires_is_the_one_that_the_clocks_show_last() {
    Plan plan = Plan.cron("0 30 * 6 11 ? 2010").in("America/St_Johns");
    List<String> fires = times(plan, "2010-11-07T00:30:00Z", 9);
    assertThat(fires)
        .containsExactly("2010-11-07T01:00:00Z", "2010-11-07T02:00:00Z", "2010-11-07T03:00:00Z");
  }

  @Test
  void times_that_come_at_one_instant_are_one_fire() {
    assertThat(fires(Plan.cron("*/20 0-22 * * *").in("Europe/Berlin"), "2027-03-28T00:39:00Z", 3))
        .containsExactly(
            fire("2027-03-28T00:40:00Z", Fire.Shift.NONE),
            fire("2027-03-28T01:00:00Z", Fire.Shift.GAP),
            fire("2027-03-28T01:20:00Z", Fire.Shift.NONE));
  }

  @Test
  void a_day_that_a_zone_leaves_out_fires_at_the_start_of_the_next() {
    assertThat(fires(Plan.cron("0 9 * * *").in("Pacific/Apia"), "2011-12-29T19:00:00Z", 2))
        .containsExactly(
            fire("2011-12-30T10:00:00Z", Fire.Shift.GAP),
            fire("2011-12-30T19:00:00Z", Fire.Shift.NONE));
    assertThat(
            fires(
                Plan.cron("0 9 * * *").in("Pacific/Apia").without("2011-12-31"),
                "2011-12-29T19:00:00Z",
                1))
        .containsExactly(fire("2011-12-31T19:00:00Z", Fire.Shift.NONE));
  }

  @Test
  void an_interval_counts_from_its_origin_whatever_the_clocks_do() {
    assertThat(times(Plan.every("PT7H").in("Europe/Berlin"), "2027-03-27T23:00:00Z", 3))
        .containsExactly("2027-03-28T01:00:00Z", "2027-03-28T08:00:00Z", "2027-03-28T15:00:00Z");
    assertThat(times(Plan.every("PT7H").from("2027-03-28T01:00:00Z"), "2027-01-01T00:00:00Z", 1))
        .containsExactly("2027-03-28T01:00:00Z");
    assertThat(FireTimes.next(Plan.every("PT10S").made(), CREATED, CREATED.minusSeconds(86_400)))
        .isEqualTo(new Fire(CREATED, Fire.Shift.NONE));
    assertThat(times(Plan.every("PT10S"), "2027-01-01T00:00:19.999999Z", 1))
        .containsExactly("2027-01-01T00:00:20Z");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 9 * * *", "PT24H"})
  void it_fires_from_its_start_to_before_its_end(String timing) {
    Plan plan = timing.startsWith("P") ? Plan.every(timing) : Plan.cron(timing);
    plan.from("2027-01-02T09:00:00Z").until("2027-01-04T09:00:00Z");
    Instant origin = Instant.parse("2027-01-02T09:00:00Z");
    assertThat(FireTimes.next(plan.made(), origin, CREATED, 9))
        .extracting(fire -> fire.at().toString())
        .containsExactly("2027-01-02T09:00:00Z", "2027-01-03T09:00:00Z");
  }

  @Test
  void excluded_days_are_those_of_the_zone() {
    Plan plan = Plan.cron("0 1 * * *").in("America/New_York").without(SATURDAY, SUNDAY);
    assertThat(times(plan.without("2027-01-04", "--01-05"), "2027-01-01T05:00:00Z", 3))
        .containsExactly("2027-01-01T06:00:00Z", "2027-01-06T06:00:00Z", "2027-01-07T06:00:00Z");
    assertThat(
            times(Plan.every("PT6H").in("Asia/Tokyo").without(SATURDAY), "2027-01-01T09:00:00Z", 3))
        .containsExactly("2027-01-01T12:00:00Z", "2027-01-02T18:00:00Z", "2027-01-03T00:00:00Z");
    assertThat(times(Plan.cron("0 9 * * *").without("--02-29"), "2028-02-28T00:00:00Z", 2))
        .containsExactly("2028-02-28T09:00:00Z", "2028-03-01T09:00:00Z");
  }

  /** St. John's set its clocks at one minute past midnight, so that a day came back. */
  @ParameterizedTest
  @CsvSource({"2010-11-06", "2010-11-07"})
  void excluded_days_leave_the_others_whole_even_where_the_clocks_go_back_at_midnight(String day) {
    ZoneId zone = ZoneId.of("America/St_Johns");
    Predicate<Instant> wanted = at -> !LocalDate.ofInstant(at, zone).equals(LocalDate.parse(day));
    Instant start = Instant.parse("2010-11-06T00:00:00Z");
    List<Instant> expected =
        Stream.iterate(start.plusSeconds(20), at -> at.plusSeconds(20))
            .filter(wanted)
            .limit(9_000)
            .toList();
    for (Plan plan : List.of(Plan.every("PT20S"), Plan.cron("*/20 * * * * ?"))) {
      Schedule schedule = plan.in(zone).without(day).made();
      assertThat(FireTimes.next(schedule, start, start, 9_000))
          .extracting(Fire::at)
          .isEqualTo(expected);
    }
  }

  @Test
  void a_month_without_a_fire_costs_no_more_than_its_days() {
    String[] days =
        LocalDate.of(2027, 1, 1)
            .datesUntil(LocalDate.of(2029, 1, 1))
            .map(LocalDate::toString)
            .toArray(String[]::new);
    for (Plan plan : List.of(Plan.every("PT1S"), Plan.cron("* * * * * ?"))) {
      Duration took =
          CpuTime.of(() -> {
            for (int i = 0; i < 10; i++) {
              assertThat(times(plan.without(days), "2027-01-01T00:00:00Z", 1))
                  .containsExactly("2029-01-01T00:00:00Z");
            }
          });
      // Ten times 63 million seconds, one by one, take ten seconds at the very least.
      assertThat(took).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void many_fires_are_those_one_after_the_other() {
    Schedule schedule = Plan.cron("*/7 9-17 * * 1-5").in("Africa/Casablanca").made();
    List<Fire> single = new ArrayList<>();
    Fire fire = FireTimes.next(schedule, CREATED, CREATED);
    while (fire != null && single.size() < 500) {
      single.add(fire);
      fire = FireTimes.next(schedule, CREATED, fire.at());
    }
    assertThat(FireTimes.next(schedule, CREATED, CREATED, 500)).isEqualTo(single);
  }

  private static void requireFires(Plan plan) {
    FireTimes.requireFires(plan.made(), plan.made().originAt(CREATED), CREATED);
  }

  private static void refuses(String field, String rule, Plan plan) {
    assertThat(FireTimes.next(plan.made(), CREATED, CREATED)).isNull();
    assertThatExceptionOfType(InvalidInput.class)
        .isThrownBy(() -> requireFires(plan))
        .withMessage(field + " " + rule);
  }

  /** Else a list of fires that are decades apart could cost a walk of centuries. */
  @Test
  void a_list_of_fires_ends_forty_years_after_its_first() {
    Plan rare = Plan.cron("0 0 29 2 *").without(SUNDAY, SATURDAY).from("2090-01-01T00:00:00Z");

    List<String> fires = times(rare, "2027-01-01T00:00:00Z", 100);

    assertThat(fires).first().isEqualTo("2092-02-29T00:00:00Z");
    assertThat(fires).last().asString().startsWith("213");
    assertThat(fires).hasSizeBetween(5, 9);
    assertThat(fires(Plan.cron("0 0 1 1 *"), "2027-01-01T00:00:00Z", 100)).hasSize(41);
  }

  @Test
  void a_schedule_that_never_fires_is_refused_naming_the_field() {
    refuses(
        "cron", "must name a time after 2027-01-01T00:00:00Z", Plan.cron("0 0 0 1 1 ? 2020-2027"));
    refuses(
        "cron",
        "must name a time after 2028-01-02T00:00:00Z",
        Plan.cron("0 0 0 1 1 ? 2020-2028").from("2028-01-02T00:00:00Z"));
    refuses(
        "endAt",
        "must be after the first fire, which would be at 2027-01-01T09:00:00Z",
        Plan.cron("0 9 * * *").until("2027-01-01T09:00:00Z"));
    refuses(
        "endAt",
        "must be after the first fire, which would be at 2027-01-01T09:00:00Z",
        Plan.cron("0 9 * * *").until("2026-01-01T00:00:00Z").without(DayOfWeek.values()));
    refuses(
        "endAt",
        "must be after the first fire, which would be at 2027-01-01T01:00:00Z",
        Plan.every("PT1H").until("2027-01-01T00:30:00Z"));
    String all = "must not exclude every fire";
    refuses("exclude", all, Plan.cron("* * * * * ?").without(DayOfWeek.values()));
    refuses("exclude", all, Plan.every("PT1S").without(DayOfWeek.values()));
    refuses("exclude", all, Plan.cron("0 9 25 12 *").without("--12-25"));
    refuses("exclude", all, Plan.cron("0 0 9 1 6 ? 2027").without("2027-06-01"));
    refuses(
        "exclude", all, Plan.cron("0 9 * * *").until("2027-01-02T00:00:00Z").without("2027-01-01"));
  }

  @Test
  void a_schedule_that_fires_once_is_taken_whatever_the_time_is_after_its_start() {
    Plan plan = Plan.cron("0 9 * * *").from("2020-01-01T00:00:00Z").until("2020-01-01T09:00:01Z");
    assertThatCode(() -> requireFires(plan)).doesNotThrowAnyException();
    assertThatCode(() -> requireFires(Plan.every("P366D"))).doesNotThrowAnyException();
    assertThatCode(() -> requireFires(Plan.cron("0 0 0 29 2 ? 2096"))).doesNotThrowAnyException();
  }
}
