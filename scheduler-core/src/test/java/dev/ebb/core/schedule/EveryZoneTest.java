package dev.ebb.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds {@link FireTimes} against a {@link WatchedClock}, which knows neither {@link Cron} nor how
 * Java maps local times. Of zones whose clocks go the same way in these years, one is compared fire
 * by fire, and the others around each instant at which their clocks are set.
 */
final class EveryZoneTest {
  private static final Instant START = Instant.parse("2020-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("2036-01-01T00:00:00Z");
  private static final LocalDate FIRST = LocalDate.of(2019, 12, 30);
  private static final LocalDate LAST = LocalDate.of(2036, 1, 3);
  private static final long HOUR = 3_600;
  private static final long DAY = 24 * HOUR;

  /** An expression and its local times. */
  private static final class Times {
    private final String cron;
    private final long[] locals;
    private final boolean wild;

    private Times(Expression expression) {
      cron = expression.cron();
      wild = expression.wild();
      locals = expression.locals(FIRST, LAST);
    }

    private long[] fires(WatchedClock clock) {
      return wild ? clock.showings(locals) : clock.fires(locals);
    }

    private long[] firesBySecond(WatchedClock clock, long from, long to) {
      return wild
          ? clock.showingsBySecond(locals, from, to)
          : clock.firesBySecond(locals, from, to);
    }
  }

  private static final List<Times> TIMES = Expression.ALL.stream().map(Times::new).toList();

  private static WatchedClock clock(ZoneRules rules) {
    return new WatchedClock(rules, START, END);
  }

  @Test
  void from_2020_to_2035_each_zone_fires_when_its_clock_comes_to_the_time() {
    assertThat(TIMES).hasSizeGreaterThanOrEqualTo(30);
    assertThat(TimeZones.ids()).hasSizeGreaterThan(400);
    Set<Object> ways = new HashSet<>();
    Set<ZoneRules> seen = new HashSet<>();
    for (String id : TimeZones.ids()) {
      ZoneRules rules = ZoneId.of(id).getRules();
      if (seen.add(rules)) {
        WatchedClock clock = clock(rules);
        boolean isNew = ways.add(clock.way());
        for (Times times : TIMES) {
          agree(id, clock, times, isNew);
        }
      }
    }
    assertThat(seen).hasSizeGreaterThan(200);
  }

  private static void agree(String zone, WatchedClock clock, Times times, boolean all) {
    Schedule schedule = Plan.cron(times.cron).in(zone).made();
    long[] fires = times.fires(clock);
    if (all) {
      walk(schedule, fires);
    }
    for (long set : clock.sets()) {
      for (long about : new long[] {-DAY, -HOUR, -1800, -1, 0, 1, 1800, HOUR - 1, HOUR, DAY}) {
        check(schedule, fires, set + about);
      }
    }
  }

  private static void walk(Schedule schedule, long[] fires) {
    Instant at = START.minusNanos(1);
    for (long fire : fires) {
      Fire next = FireTimes.next(schedule, START, at);
      if (next == null || next.at().getEpochSecond() != fire) {
        throw wrong(schedule, at, next, fire);
      }
      at = next.at();
    }
    Fire next = FireTimes.next(schedule, START, at);
    assertThat(next == null || !next.at().isBefore(END)).isTrue();
  }

  private static void check(Schedule schedule, long[] fires, long after) {
    int i = Arrays.binarySearch(fires, after + 1);
    int first = i < 0 ? -i - 1 : i;
    Instant at = Instant.ofEpochSecond(after);
    Fire next = FireTimes.next(schedule, START, at);
    if (first < fires.length && (next == null || next.at().getEpochSecond() != fires[first])) {
      throw wrong(schedule, at, next, fires[first]);
    }
  }

  private static AssertionError wrong(
      Schedule schedule, Instant after, @Nullable Fire next, long fire) {
    return new AssertionError(
        schedule + " after " + after + ": " + next + ", not " + Instant.ofEpochSecond(fire));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Europe/Berlin", "Australia/Lord_Howe", "Africa/Cairo", "America/Havana"})
  void the_oracle_is_a_clock_that_is_watched_second_by_second(String zone) {
    WatchedClock clock = clock(ZoneId.of(zone).getRules());
    long set = clock.sets()[clock.sets().length / 2];
    long from = set - 2 * HOUR;
    long to = set + 2 * HOUR;
    for (Times times : TIMES) {
      long[] watched = times.firesBySecond(clock, from, to);
      long[] fires =
          LongStream.of(times.fires(clock)).filter(fire -> fire >= from && fire < to).toArray();
      assertThat(fires).isEqualTo(watched);
    }
  }

  /** The control: rules that differ from the written one. */
  @ParameterizedTest
  @ValueSource(strings = {"Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo"})
  void the_oracle_finds_other_rules_wherever_clocks_are_set(String zone) {
    ZoneId id = ZoneId.of(zone);
    ZoneRules rules = id.getRules();
    boolean isSet = clock(rules).sets().length > 0;
    assertThat(isSet).isEqualTo(!zone.equals("America/Sao_Paulo"));

    assertThat(differs(rules, local -> Stream.of(written(rules, local)))).isFalse();
    // Java moves a time in a gap by the length of the gap.
    assertThat(differs(rules, local -> Stream.of(local.atZone(id).toInstant()))).isEqualTo(isSet);
    assertThat(differs(rules, local -> valid(rules, local).stream())).isEqualTo(isSet);
    assertThat(differs(rules, local -> Stream.of(later(rules, local)))).isEqualTo(isSet);
  }

  /** The control: what is a wildcard is held against the rule of named hours, and the reverse. */
  @Test
  void the_oracle_tells_a_wildcard_from_named_hours() {
    WatchedClock clock = clock(ZoneId.of("Europe/Berlin").getRules());
    for (String cron : List.of("0 * * * 0", "30 2 * * *")) {
      Times times = TIMES.stream().filter(one -> one.cron.equals(cron)).findAny().orElseThrow();
      assertThat(clock.fires(times.locals)).isNotEqualTo(clock.showings(times.locals));
    }
  }

  private static boolean differs(ZoneRules rules, Function<LocalDateTime, Stream<Instant>> rule) {
    return TIMES.stream()
        .filter(times -> !times.wild)
        .anyMatch(times -> {
          long[] fires =
              LongStream.of(times.locals)
                  .mapToObj(local -> LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC))
                  .flatMap(rule)
                  .filter(at -> !at.isBefore(START) && at.isBefore(END))
                  .mapToLong(Instant::getEpochSecond)
                  .distinct()
                  .sorted()
                  .toArray();
          return !Arrays.equals(fires, clock(rules).fires(times.locals));
        });
  }

  private static Instant written(ZoneRules rules, LocalDateTime local) {
    List<Instant> valid = valid(rules, local);
    return valid.isEmpty() ? rules.getTransition(local).getInstant() : valid.getFirst();
  }

  private static Instant later(ZoneRules rules, LocalDateTime local) {
    List<Instant> valid = valid(rules, local);
    return valid.isEmpty() ? rules.getTransition(local).getInstant() : valid.getLast();
  }

  /** The instants at which the clock shows it: none in a gap, two in an overlap. */
  private static List<Instant> valid(ZoneRules rules, LocalDateTime local) {
    List<Instant> valid = new ArrayList<>();
    rules.getValidOffsets(local).forEach(offset -> valid.add(local.toInstant(offset)));
    return valid;
  }
}
