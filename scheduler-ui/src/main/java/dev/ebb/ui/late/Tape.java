package dev.ebb.ui.late;

import dev.ebb.core.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lays stretches one behind the other, from a beginning to an end that none of them passes. */
final class Tape {
  private final List<Stretch> stretches = new ArrayList<>();
  private final Instant end;
  private @Nullable Integer attempt;
  private Instant at;

  /** With nothing on it. */
  Tape(Instant from, Instant end) {
    this.at = from;
    this.end = end;
  }

  /** What follows belongs to that attempt. */
  void attempt(@Nullable Integer number) {
    attempt = number;
  }

  /** Where the next stretch begins. */
  Instant at() {
    return at;
  }

  Instant end() {
    return end;
  }

  /** The time until then went to the part; none did if that is past. */
  void to(Instant until, Part part) {
    Instant stop = Span.earlier(until, end);
    if (stop.isAfter(at)) {
      stretches.add(new Stretch(part, attempt, at, stop));
      at = stop;
    }
  }

  /** The time until then went to the stops that lie in it, which come in order, or to the part. */
  void to(Instant until, List<Stops.Stop> stops, Part otherwise) {
    for (Stops.Stop stop : stops) {
      to(Span.earlier(stop.span().from(), until), otherwise);
      to(Span.earlier(stop.span().until(), until), stop.part());
    }
    to(until, otherwise);
  }

  /** Gives another part the last of what a part got since then, but for what it did not get. */
  void giveLast(Duration length, Part from, Part to, Instant since) {
    Duration left = length;
    for (int i = stretches.size() - 1; i >= 0 && left.isPositive(); i--) {
      Stretch stretch = stretches.get(i);
      if (stretch.from().isBefore(since)) {
        return;
      }
      if (stretch.part() == from) {
        Duration given = Durations.min(left, stretch.length());
        replace(i, stretch.until().minus(given), to);
        left = left.minus(given);
      }
    }
  }

  private void replace(int index, Instant from, Part part) {
    Stretch whole = stretches.get(index);
    stretches.set(index, new Stretch(part, whole.attempt(), from, whole.until()));
    if (from.isAfter(whole.from())) {
      stretches.add(index, new Stretch(whole.part(), whole.attempt(), whole.from(), from));
    }
  }

  List<Stretch> stretches() {
    return List.copyOf(stretches);
  }
}
