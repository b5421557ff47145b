package dev.ebb.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ebb.core.Broken;
import dev.ebb.core.Samples;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ScheduleTest {
  private static Plan plan() {
    return Plan.cron("0 9 * * 1-5");
  }

  private static NewJob.Builder job() {
    return NewJob.builder("http", "{}");
  }

  private static Map<String, String> labels(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "l" + i, i -> "" + i));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Report", "-a", ".a", "a b", "ä", "a:b"})
  void a_bad_name_is_refused(String name) {
    Broken.refuses("name", () -> plan().name(name).made());
  }

  @Test
  void a_name_ends_at_63_characters() {
    assertThatCode(() -> plan().name("0".repeat(63)).made()).doesNotThrowAnyException();
    Broken.refuses("name", () -> plan().name("a".repeat(64)).made());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"UTC", "Europe/Berlin", "America/Argentina/Ushuaia", "US/Pacific", "Etc/UTC"})
  void a_time_zone_is_utc_or_one_of_iana(String zone) {
    assertThat(plan().in(TimeZones.of(zone)).made().zone()).isEqualTo(ZoneId.of(zone));
    assertThat(TimeZones.ids()).contains(zone);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Z",
        "+01:00",
        "UTC+1",
        "GMT",
        "GMT+1",
        "EST",
        "CET",
        "PST8PDT",
        "Japan",
        "SystemV/PST8",
        "Mars/Olympus",
        "europe/berlin",
        " UTC"
      })
  void offsets_legacy_names_and_unknown_zones_are_refused(String zone) {
    Broken.refuses("timeZone", () -> TimeZones.of(zone));
  }

  @Test
  void a_zone_that_was_made_elsewhere_keeps_the_same_rule() {
    Broken.refuses("timeZone", () -> plan().in(ZoneOffset.UTC).made());
    Broken.refuses("timeZone", () -> plan().in(ZoneId.of("GMT+1")).made());
    Broken.refuses("timeZone", () -> plan().in(ZoneId.of("Japan")).made());
  }

  @Test
  void a_mistyped_zone_is_guessed() {
    assertThatCode(() -> TimeZones.of("europe/berlin"))
        .hasMessageEndingWith("are not allowed. Did you mean Europe/Berlin?");
  }

  @Test
  void an_interval_is_a_second_to_366_days_in_whole_seconds() {
    assertThatCode(() -> Plan.every("PT1S").made()).doesNotThrowAnyException();
    assertThatCode(() -> Plan.every("P366D").made()).doesNotThrowAnyException();
    for (String interval : new String[] {"PT0S", "PT-1S", "PT0.999S", "PT1.5S", "PT8784H1S"}) {
      Broken.refuses("every", () -> Plan.every(interval));
    }
  }

  @Test
  void it_ends_after_it_starts_in_whole_seconds_of_the_years_2000_to_9999() {
    assertThatCode(() -> plan().from("2000-01-01T00:00:00Z").until("9999-12-31T23:59:59Z").made())
        .doesNotThrowAnyException();
    Broken.refuses(
        "endAt", () -> plan().from("2027-01-01T00:00:00Z").until("2027-01-01T00:00:00Z").made());
    Broken.refuses(
        "endAt", () -> plan().from("2027-01-01T00:00:00Z").until("2026-01-01T00:00:00Z").made());
    Broken.refuses("startAt", () -> plan().from("2027-01-01T00:00:00.5Z").made());
    Broken.refuses("endAt", () -> plan().until("2027-01-01T00:00:00.000001Z").made());
    Broken.refuses("startAt", () -> plan().from("1999-12-31T23:59:59Z").made());
    Broken.refuses("endAt", () -> plan().until("+10000-01-01T00:00:00Z").made());
  }

  @Test
  void misfires_and_excluded_dates_have_bounds() {
    Broken.refuses("mostMisfires", () -> plan().on(Misfires.Rule.ALL, 0));
    Broken.refuses("mostMisfires", () -> plan().on(Misfires.Rule.ONCE, 1_001));
    assertThatCode(() -> plan().on(Misfires.Rule.ALL, 1_000)).doesNotThrowAnyException();
    String[] days =
        LocalDate.of(2027, 1, 1)
            .datesUntil(LocalDate.of(2030, 1, 1))
            .map(LocalDate::toString)
            .toArray(String[]::new);
    Broken.refuses("exclude.dates", () -> plan().without(days));
  }

  @Test
  void exclusions_do_not_change_after_they_were_made() {
    TreeSet<LocalDate> dates = new TreeSet<>();
    Exclusions exclusions = new Exclusions(new TreeSet<>(), dates, new TreeSet<>());
    dates.add(LocalDate.of(2027, 1, 1));
    assertThat(exclusions).isEqualTo(Exclusions.NONE);
    assertThat(exclusions.isEmpty()).isTrue();
  }

  @Test
  void words_are_read_back() {
    assertThat(Misfires.Rule.words()).containsExactly("skip", "once", "all");
    assertThat(Overlap.words()).containsExactly("allow", "skip", "queue");
    assertThat(Misfires.Rule.words())
        .allSatisfy(
            word -> assertThat(Misfires.Rule.of(word)).map(Misfires.Rule::word).contains(word));
    assertThat(Overlap.words())
        .allSatisfy(word -> assertThat(Overlap.of(word)).map(Overlap::word).contains(word));
    assertThat(Misfires.Rule.of("SKIP")).isEmpty();
    assertThat(Overlap.of("none")).isEmpty();
    assertThat(CronSyntax.QUARTZ.word()).isEqualTo("quartz");
  }

  @Test
  void a_template_says_nothing_of_when() {
    Instant time = Instant.parse("2027-01-01T00:00:00Z");
    Broken.refuses("job.runAt", () -> plan().submits(job().runAt(time)).made());
    Broken.refuses("job.delay", () -> plan().submits(job().delay(Duration.ofSeconds(1))).made());
  }

  @Test
  void a_template_leaves_room_for_the_labels_of_a_fire() {
    assertThatCode(() -> plan().submits(job().labels(labels(14))).made())
        .doesNotThrowAnyException();
    Broken.refuses("job.labels", () -> plan().submits(job().labels(labels(15))).made());
    Broken.refuses(
        "job.labels", () -> plan().submits(job().labels(Map.of("schedule", "a"))).made());
    Broken.refuses("job.labels", () -> plan().submits(job().labels(Map.of("fireAt", "a"))).made());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "}", "{}", "{day}", "{{date}}", "{Date}", "{date", "a}{date}"})
  void a_unique_key_has_no_other_braces(String key) {
    Broken.refuses("job.uniqueKey", () -> plan().submits(job().uniqueKey(key)).made());
  }

  @Test
  void a_unique_key_has_200_characters_at_most_once_it_is_filled() {
    String key = "{schedule}{fireAt}{date}{time}{epoch}";
    String rest = "k".repeat(200 - "report".length() - 20 - 10 - 8 - 12);
    Schedule longest = plan().submits(job().uniqueKey(key + rest)).made();
    assertThat(longest.jobAt(Instant.parse("9999-12-31T23:59:59Z")).uniqueKey()).hasSize(200);
    Broken.refuses("job.uniqueKey", () -> plan().submits(job().uniqueKey(key + rest + "k")).made());
    Broken.refuses(
        "job.uniqueKey",
        () ->
            plan()
                .name("r".repeat(63))
                .submits(job().uniqueKey("{schedule}{schedule}{schedule}{fireAt}"))
                .made());
  }

  @ParameterizedTest
  @CsvSource({
    "settle,settle",
    "{schedule},report",
    "{schedule}-{fireAt},report-2027-01-04T12:00:00Z",
    "{date} {time},2027-01-04 09:00:00",
    "{epoch}/{epoch},1799064000/1799064000",
    "$1\\{date},$1\\2027-01-04"
  })
  void a_fire_fills_the_pattern_of_the_unique_key(String key, String filled) {
    Schedule schedule = plan().in("America/Sao_Paulo").submits(job().uniqueKey(key)).made();
    assertThat(schedule.jobAt(Instant.parse("2027-01-04T12:00:00Z")).uniqueKey()).isEqualTo(filled);
  }

  @Test
  void the_job_of_a_fire_is_the_template_with_the_labels_of_the_fire() {
    NewJob.Builder template =
        job()
            .queue("reports")
            .priority(2)
            .maxAttempts(7)
            .policy(RetryPolicy.of(new Backoff.None(Samples.GROWTH), 5))
            .timeout(Duration.ofSeconds(5))
            .labels(Map.of("team", "pay"));
    Schedule schedule = plan().submits(template).made();
    NewJob expected =
        template
            .labels(Map.of("team", "pay", "schedule", "report", "fireAt", "2027-01-04T12:00:00Z"))
            .build();
    assertThat(schedule.jobAt(Instant.parse("2027-01-04T12:00:00Z"))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "settle,settle",
    "{fireAt},2027-01-04T12:00:00.120456Z",
    "{date} {time},2027-01-04 12:00:00.120456",
    "{epoch},1799064000.120456"
  })
  void a_run_by_hand_is_told_from_the_fire_of_its_second(String key, String filled) {
    Schedule schedule = plan().submits(job().uniqueKey(key)).made();
    NewJob byHand = schedule.jobAt(Instant.parse("2027-01-04T12:00:00.120456Z"));

    assertThat(byHand.uniqueKey()).isEqualTo(filled);
    assertThat(byHand.labels()).containsEntry("fireAt", "2027-01-04T12:00:00.120456Z");
  }

  @Test
  void a_run_by_hand_whose_key_would_be_too_long_has_that_of_its_second() {
    Schedule schedule = plan().submits(job().uniqueKey("k".repeat(180) + "{fireAt}")).made();

    assertThat(schedule.jobAt(Instant.parse("2027-01-04T12:00:00.5Z")).uniqueKey())
        .endsWith("k2027-01-04T12:00:00Z");
  }

  @Test
  void an_interval_counts_from_the_start_or_from_the_second_of_its_creation() {
    Instant created = Instant.parse("2027-01-04T12:00:00.123456Z");
    assertThat(Plan.every("PT1H").made().originAt(created))
        .isEqualTo(Instant.parse("2027-01-04T12:00:00Z"));
    assertThat(Plan.every("PT1H").from("2028-01-01T00:00:00Z").made().originAt(created))
        .isEqualTo(Instant.parse("2028-01-01T00:00:00Z"));
  }
}
