package dev.ebb.core.schedule;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * Tells when local times come, as somebody would who watches the clock of a time zone second by
 * second: a time has come once the clock shows it, or a later one, for the first time. Where hours
 * are a wildcard, a time comes whenever the clock shows it.
 *
 * <p>Local times are seconds since 1970 as if in UTC.
 */
final class WatchedClock {
  /** A span, in seconds since 1970, in which the clock is not set. */
  private record Span(long start, long end, long offset) {}

  private final List<Span> spans = new ArrayList<>();
  private final ZoneRules rules;

  WatchedClock(ZoneRules rules, Instant start, Instant end) {
    this.rules = rules;
    Instant from = start;
    while (from.isBefore(end)) {
      ZoneOffsetTransition set = rules.nextTransition(from);
      Instant to = set == null || set.getInstant().isAfter(end) ? end : set.getInstant();
      long offset = rules.getOffset(from).getTotalSeconds();
      spans.add(new Span(from.getEpochSecond(), to.getEpochSecond(), offset));
      from = to;
    }
  }

  /** What the clock shows, without its place: equal for zones whose clocks go the same way. */
  Object way() {
    return spans;
  }

  /** When the clock is set, in seconds since 1970. */
  long[] sets() {
    return spans.stream().skip(1).mapToLong(Span::start).toArray();
  }

  /** When the local times come, which are sorted. */
  long[] fires(long[] locals) {
    long[] fires = new long[locals.length];
    int count = 0;
    long shown = spans.getFirst().start() + spans.getFirst().offset() - 1;
    int i = after(locals, shown);
    for (Span span : spans) {
      long first = span.start() + span.offset();
      long last = span.end() + span.offset() - 1;
      if (i < locals.length && locals[i] <= first) {
        fires[count++] = span.start();
        i = after(locals, Math.max(shown, first));
      }
      while (i < locals.length && locals[i] <= last) {
        fires[count++] = locals[i++] - span.offset();
      }
      shown = Math.max(shown, last);
    }
    return Arrays.copyOf(fires, count);
  }

  /** When the clock shows the local times, which are sorted: twice, or never, what it shows so. */
  long[] showings(long[] locals) {
    return spans.stream()
        .flatMapToLong(span ->
            LongStream.of(locals)
                .skip(after(locals, span.start() + span.offset() - 1))
                .takeWhile(local -> local < span.end() + span.offset())
                .map(local -> local - span.offset()))
        .toArray();
  }

  private static int after(long[] sorted, long value) {
    int i = Arrays.binarySearch(sorted, value + 1);
    return i < 0 ? -i - 1 : i;
  }

  /** The same for a span, with a look at each of its seconds. */
  long[] firesBySecond(long[] locals, long start, long end) {
    TreeSet<Long> left = new TreeSet<>(Arrays.stream(locals).boxed().toList());
    left.headSet(local(start - 1), true).clear();
    List<Long> fires = new ArrayList<>();
    long shown = local(start - 1);
    for (long second = start; second < end; second++) {
      shown = Math.max(shown, local(second));
      Set<Long> come = left.headSet(shown, true);
      if (!come.isEmpty()) {
        fires.add(second);
        come.clear();
      }
    }
    return fires.stream().mapToLong(Long::longValue).toArray();
  }

  /** The same of {@link #showings}. */
  long[] showingsBySecond(long[] locals, long start, long end) {
    return LongStream.range(start, end)
        .filter(second -> Arrays.binarySearch(locals, local(second)) >= 0)
        .toArray();
  }

  private long local(long second) {
    ZoneOffset offset = rules.getOffset(Instant.ofEpochSecond(second));
    return second + offset.getTotalSeconds();
  }
}
