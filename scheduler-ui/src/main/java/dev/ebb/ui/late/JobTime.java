package dev.ebb.ui.late;

import dev.ebb.contract.Attempt;
import dev.ebb.contract.Job;
import dev.ebb.ui.json.Delivery;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a job's time went.
 *
 * @param stretches from its submit to its end, or until now, in order and without a gap
 */
public record JobTime(List<Stretch> stretches) {

  /**
   * What went to one part.
   *
   * @param times in how many stretches
   */
  public record Total(Part part, Duration length, int times) {}

  public JobTime {
    stretches = List.copyOf(stretches);
  }

  public static JobTime of(Course course) {
    return new JobTime(new Layer(course).lay());
  }

  public Duration whole() {
    return sum(stretches);
  }

  /** What each part got, the most first. */
  public List<Total> totals() {
    Map<Part, List<Stretch>> parts = new EnumMap<>(Part.class);
    for (Part part : Part.values()) {
      List<Stretch> own = stretches.stream().filter(one -> one.part() == part).toList();
      if (!own.isEmpty()) {
        parts.put(part, own);
      }
    }
    return parts.entrySet().stream()
        .map(one -> new Total(one.getKey(), sum(one.getValue()), one.getValue().size()))
        .sorted(Comparator.comparing(Total::length).reversed())
        .toList();
  }

  /** The longest first. */
  public List<Stretch> byLength() {
    return stretches.stream().sorted(Comparator.comparing(Stretch::length).reversed()).toList();
  }

  private static Duration sum(List<Stretch> stretches) {
    return stretches.stream().map(Stretch::length).reduce(Duration.ZERO, Duration::plus);
  }

  /** Lays the stretches of one job. */
  private static final class Layer {
    private final Course course;
    private final Job job;
    private final List<Attempt> attempts;
    private final Tape tape;

    Layer(Course course) {
      this.course = course;
      this.job = course.job();
      this.attempts = course.attempts();
      this.tape = new Tape(job.createdAt(), course.end());
    }

    List<Stretch> lay() {
      for (int i = 0; i < attempts.size(); i++) {
        Attempt attempt = attempts.get(i);
        tape.attempt(attempt.number());
        waited(attempt, beforeDue(i));
        ran(attempt);
      }
      tape.attempt(null);
      last();
      return tape.stretches();
    }

    /** What the time before an attempt was due went to; the one behind the last is to come. */
    private Part beforeDue(int index) {
      if (index < attempts.size() && course.isBehindMissing(index)) {
        return Part.WAITING;
      }
      if (index == 0) {
        return Part.SCHEDULED;
      }
      if (course.isRedriven(index)) {
        return Part.DEAD_LETTER;
      }
      return switch (attempts.get(index - 1).word()) {
        case "failed", "throttled" -> Part.BACKOFF;
        case "given_back" -> Part.SCHEDULED;
        default -> Part.WAITING;
      };
    }

    private void waited(Attempt attempt, Part before) {
      Instant started = attempt.startedAt();
      Instant due = attempt.dueAt();
      Attempt.WaitParts waited = attempt.waited();
      if (due == null || waited == null) {
        tape.to(started, course.stops().ofHolds(), Part.WAITING);
        return;
      }
      before(Span.earlier(due, started), before);
      Instant since = tape.at();
      tape.to(started, course.stops().ofDue(), Part.SLOT);
      tape.giveLast(waited.limiter(), Part.SLOT, Part.LIMITER, since);
    }

    /** A dead letter cannot be held. */
    private void before(Instant due, Part part) {
      List<Stops.Stop> stops = part == Part.DEAD_LETTER ? List.of() : course.stops().ofHolds();
      tape.to(due, stops, part);
    }

    private void ran(Attempt attempt) {
      Instant ended = Objects.requireNonNullElse(attempt.endedAt(), tape.end());
      if (isLost(attempt)) {
        tape.to(ended, Part.LOST);
      } else if (attempt.word().equals("given_back")) {
        tape.to(ended, Part.GIVEN_BACK);
      } else {
        worked(attempt, ended);
      }
      Instant recorded = attempt.recordedAt();
      if (attempt.endedAt() != null && recorded != null) {
        tape.to(recorded, Part.COMMIT);
      }
    }

    private void worked(Attempt attempt, Instant ended) {
      Delivery delivery = Delivery.of(attempt);
      if (delivery == null) {
        tape.to(ended, Part.RUN);
        return;
      }
      for (Delivery.Part part : delivery.parts()) {
        Instant until = tape.at().plusMillis(part.millis());
        tape.to(Span.earlier(until, ended), Part.of(part.step()));
      }
      tape.to(ended, Part.NODE);
    }

    private static boolean isLost(Attempt attempt) {
      return attempt.error() != null && attempt.error().reason().equals("worker_lost");
    }

    /** What came behind the last attempt that is known. */
    private void last() {
      Instant started = job.startedAt();
      boolean runs = course.is("running") || course.is("completed");
      if (course.later() || (attempts.isEmpty() && job.attempt() > 0) || runs) {
        unknown(runs ? started : null);
      } else if (course.wasDiscarded()) {
        tape.to(tape.end(), Part.DEAD_LETTER);
      } else if (course.is("available") || course.is("cancelled")) {
        toCome();
      }
      tape.to(tape.end(), Part.WAITING);
    }

    private void unknown(@Nullable Instant started) {
      if (started != null) {
        tape.to(started, Part.WAITING);
        tape.to(Objects.requireNonNullElse(job.endedAt(), tape.end()), Part.RUN);
      }
    }

    private void toCome() {
      before(Span.earlier(job.runAt(), tape.end()), beforeDue(attempts.size()));
      tape.to(tape.end(), course.stops().ofDue(), Part.WAITING);
    }
  }
}
