package dev.ebb.ui.svg;

import dev.ebb.contract.Attempt;
import dev.ebb.contract.AttemptForecast;
import dev.ebb.contract.Failure;
import dev.ebb.ui.words.ClockWords;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a job and what is to come, in the order of its attempts.
 *
 * @param origin when the first attempt started; without one when it starts
 * @param showsNow whether more is to come, and the first attempt was due
 */
public record JobStory(Instant origin, Instant now, boolean showsNow, List<Row> rows) {
  /** What the clocks of the database and of a node may be apart. */
  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  private static final int FIRST = 3;
  private static final int MOST = 18;
  private static final int GROWN = 2;

  /** A line of the drawing and of the table beside it. */
  public sealed interface Row {
    /** What stands before it. */
    String name(boolean shortly);

    /** What stands behind it. */
    String text(boolean shortly);

    /** When it is; the last of it. */
    Instant until();

    /** An attempt that has begun. */
    record Past(Attempt attempt, Instant from, Instant until) implements Row {
      public String word() {
        return attempt.word();
      }

      @Override
      public String name(boolean shortly) {
        return (shortly ? "" : "Try ") + attempt.number();
      }

      @Override
      public String text(boolean shortly) {
        Duration length = attempt.length();
        String took = length == null ? "" : ", " + Words.length(length);
        Failure error = attempt.error();
        return word() + took + (shortly || error == null ? "" : ": " + error.reason());
      }
    }

    /** The attempt whose start is drawn. */
    record Next(int number, Instant at, Instant now) implements Row {
      /** Whether it is expected at once. */
      public boolean isDue() {
        return !at.minus(A_MOMENT).isAfter(now);
      }

      @Override
      public String name(boolean shortly) {
        return (shortly ? "" : "Try ") + number;
      }

      @Override
      public String text(boolean shortly) {
        return isDue() ? "due" : (shortly ? "" : "at ") + ClockWords.at(at, now);
      }

      @Override
      public Instant until() {
        return at;
      }
    }

    /** An attempt whose start is not drawn yet. */
    record Coming(AttemptForecast.Band band, Instant now) implements Row {
      public AttemptForecast.Range at() {
        return band.range();
      }

      @Override
      public String name(boolean shortly) {
        return (shortly ? "" : "Try ") + band.attempt();
      }

      @Override
      public String text(boolean shortly) {
        String chance =
            shortly || band.chance() > 0.995
                ? ""
                : ", if it comes: " + Words.percent(band.chance());
        return ClockWords.between(band.p10(), band.p90(), now) + chance;
      }

      @Override
      public Instant until() {
        return band.p90();
      }
    }

    /** When it is given up. */
    record End(AttemptForecast.Range at, Instant now) implements Row {
      @Override
      public String name(boolean shortly) {
        return shortly ? "✕" : "Gives up";
      }

      @Override
      public String text(boolean shortly) {
        return ClockWords.between(at.p10(), at.p90(), now);
      }

      @Override
      public Instant until() {
        return at.p90();
      }
    }

    /** Rows that are left out. */
    record Skipped(int rows, Instant until) implements Row {
      @Override
      public String name(boolean shortly) {
        return "⋮";
      }

      @Override
      public String text(boolean shortly) {
        return Words.number(rows) + " more";
      }
    }
  }

  public JobStory {
    rows = List.copyOf(rows);
  }

  /**
   * The story so far.
   *
   * @param submitted stands in for the first attempt where none is known
   * @param schedule {@code null} where nothing more comes
   */
  public static JobStory of(
      List<Attempt> attempts, @Nullable AttemptForecast schedule, Instant submitted, Instant now) {
    List<Row> past = new ArrayList<>();
    for (Attempt attempt : attempts) {
      Instant until = Objects.requireNonNullElse(attempt.endedAt(), now);
      past.add(new Row.Past(attempt, attempt.startedAt(), until));
    }
    Stream<Row> coming = schedule == null ? Stream.empty() : coming(schedule, now);
    List<Row> rows = Stream.concat(shortened(past).stream(), coming).toList();
    Instant origin = origin(attempts, schedule, submitted);
    return new JobStory(origin, now, schedule != null && !now.isBefore(origin), rows);
  }

  private static Instant origin(
      List<Attempt> attempts, @Nullable AttemptForecast schedule, Instant submitted) {
    if (!attempts.isEmpty()) {
      return attempts.getFirst().startedAt();
    }
    return schedule == null || schedule.next() == null ? submitted : schedule.next().at();
  }

  private static Stream<Row> coming(AttemptForecast schedule, Instant now) {
    List<Row> rows = new ArrayList<>();
    AttemptForecast.Next next = schedule.next();
    if (next != null) {
      rows.add(new Row.Next(next.attempt(), next.at(), now));
    }
    List<Row> bands = new ArrayList<>();
    schedule.bands().forEach(band -> bands.add(new Row.Coming(band, now)));
    rows.addAll(shortened(bands));
    rows.add(new Row.End(schedule.givesUpAt(), now));
    return rows.stream();
  }

  /** The first few and the last many, if there are more than one can look at. */
  private static List<Row> shortened(List<Row> rows) {
    int over = rows.size() - MOST;
    if (over < GROWN) {
      return rows;
    }
    List<Row> shown = new ArrayList<>(rows.subList(0, FIRST));
    shown.add(new Row.Skipped(over, rows.get(FIRST + over - 1).until()));
    shown.addAll(rows.subList(FIRST + over, rows.size()));
    return shown;
  }

  /** The end of the axis. */
  Duration longest() {
    Instant last =
        Stream.concat(rows.stream().map(Row::until), showsNow ? Stream.of(now) : Stream.empty())
            .max(Instant::compareTo)
            .orElse(origin);
    return Duration.between(origin, last);
  }

  /** From the first attempt to the one behind it: what must be told from zero. */
  Duration first() {
    return rows.stream()
        .map(row ->
            switch (row) {
              case Row.Past past -> past.from();
              case Row.Next next -> next.at();
              case Row.Coming coming -> coming.at().p50();
              case Row.End end -> end.at().p50();
              case Row.Skipped skipped -> skipped.until();
            })
        .filter(at -> at.isAfter(origin))
        .map(at -> Duration.between(origin, at))
        .min(Duration::compareTo)
        .orElse(Duration.ofSeconds(1));
  }

  /** For those who do not see it. */
  String label() {
    return "Timeline of "
        + rows.size()
        + " rows over the time since the first try; the table below has the same data";
  }
}
