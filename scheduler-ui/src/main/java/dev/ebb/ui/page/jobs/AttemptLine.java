package dev.ebb.ui.page.jobs;

import dev.ebb.contract.Attempt;
import dev.ebb.contract.Job;
import dev.ebb.ui.json.Delivery;
import dev.ebb.ui.svg.TimeBar;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attempt as a line of the page.
 *
 * @param id within the page
 * @param before what passed before it, in words
 * @param waited what it waited for after it was due; empty where that is not known
 * @param ran what it did from its start until its outcome was written; empty while it runs
 */
public record AttemptLine(
    Attempt attempt,
    String id,
    String before,
    @Nullable Delivery delivery,
    Times waited,
    Times ran) {

  private static final int COLOURS = 3;

  /**
   * A length of time.
   *
   * @param words how long it was
   * @param parts where it went, without those that took no time
   * @param longest the milliseconds of the longest of the page, to which it is drawn
   */
  public record Times(String words, List<TimeBar.Part> parts, long longest) {
    public Times {
      parts = parts.stream().filter(part -> part.millis() > 0).toList();
    }

    Times beside(long longest) {
      return new Times(words, parts, longest);
    }

    long millis() {
      return TimeBar.millis(parts);
    }

    /** The parts as a drawing. */
    public String bar(String what) {
      return TimeBar.draw(what + " " + words, parts, longest);
    }
  }

  /** The lines of a job's attempts, oldest first. */
  static List<AttemptLine> of(Job job, List<Attempt> attempts) {
    List<AttemptLine> lines = new ArrayList<>();
    for (int i = 0; i < attempts.size(); i++) {
      lines.add(line(job, i == 0 ? null : attempts.get(i - 1), attempts.get(i)));
    }
    long wait = lines.stream().mapToLong(line -> line.waited.millis()).max().orElse(0);
    long run = lines.stream().mapToLong(line -> line.ran.millis()).max().orElse(0);
    return lines.stream().map(line -> line.beside(wait, run)).toList();
  }

  private static AttemptLine line(Job job, @Nullable Attempt previous, Attempt attempt) {
    Delivery delivery = Delivery.of(attempt);
    return new AttemptLine(
        attempt,
        "try-" + attempt.startedAt().toEpochMilli() + "-" + attempt.number(),
        before(job, previous, attempt),
        delivery,
        waited(attempt.waited()),
        new Times(Words.length(attempt.length()), ran(attempt, delivery), 0));
  }

  private AttemptLine beside(long wait, long run) {
    return new AttemptLine(attempt, id, before, delivery, waited.beside(wait), ran.beside(run));
  }

  private static Times waited(Attempt.@Nullable WaitParts waited) {
    return waited == null
        ? new Times(Words.length(null), List.of(), 0)
        : new Times(
            Words.length(waited.total()),
            List.of(
                new TimeBar.Part("limiter", waited.limiter().toMillis(), "limiter"),
                new TimeBar.Part("slot", waited.slot().toMillis(), "slot")),
            0);
  }

  private static List<TimeBar.Part> ran(Attempt attempt, @Nullable Delivery delivery) {
    List<TimeBar.Part> parts = new ArrayList<>();
    Duration length = attempt.length();
    if (delivery != null) {
      List<Delivery.Part> recorded = delivery.parts();
      for (int i = 0; i < recorded.size(); i++) {
        Delivery.Part part = recorded.get(i);
        parts.add(new TimeBar.Part(part.name(), part.millis(), "part" + (i % COLOURS)));
      }
      if (length != null) {
        long rest = Math.max(0, length.toMillis() - delivery.millis());
        parts.add(new TimeBar.Part("in the node", rest, "inside"));
      }
    } else if (length != null) {
      parts.add(new TimeBar.Part("run", length.toMillis(), "part0"));
    }
    Duration commit = attempt.commit();
    if (commit != null) {
      parts.add(new TimeBar.Part("commit", commit.toMillis(), "commit"));
    }
    return parts;
  }

  private static String before(Job job, @Nullable Attempt previous, Attempt attempt) {
    if (previous != null && previous.endedAt() != null) {
      return before(previous.endedAt(), " after the try before", attempt);
    }
    return attempt.number() > 1 ? "" : before(job.createdAt(), " after the submit", attempt);
  }

  /** When it was due and started; only when it started where the due instant was not kept. */
  private static String before(Instant from, String what, Attempt attempt) {
    Instant due = attempt.dueAt();
    Attempt.WaitParts waited = attempt.waited();
    if (due == null || waited == null) {
      return between(from, attempt.startedAt()) + what;
    }
    String time = due.isAfter(from) ? "due " + between(from, due) + what : "due at once";
    return time + ", started " + Words.length(waited.total()) + " later";
  }

  private static String between(Instant from, Instant until) {
    Duration length = Duration.between(from, until);
    return Words.length(length.isNegative() ? Duration.ZERO : length);
  }
}
