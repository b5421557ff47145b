package dev.ebb.api.jobs.waiting;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.Waiting;
import dev.ebb.contract.Waiting.Reason;
import dev.ebb.core.job.JobState;
import dev.ebb.db.view.JobView;
import dev.ebb.db.waiting.WaitingJob;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Shows why jobs wait. */
final class WaitingResource {
  private WaitingResource() {}

  /** Since when, until when, by whom and why. */
  record Span(
      @Nullable Instant since,
      @Nullable Instant until,
      @Nullable String by,
      @Nullable String reason) {
    Span {
      since = Answer.shownOrNull(since);
      until = Answer.shownOrNull(until);
    }
  }

  /** How many jobs of the queue run, and how many may. */
  record Room(int inFlight, int maxConcurrency) {}

  /**
   * How fast the limiter lets jobs start.
   *
   * @param rate jobs a second, now
   * @param expectedAt about when it lets this one start
   */
  record Pace(String phase, double rate, Instant expectedAt) {
    Pace {
      expectedAt = Answer.shown(expectedAt);
    }
  }

  /** How many jobs come first; more than these unless it is exact. */
  record Line(int ahead, boolean exact) {}

  static Reason reason(String code, String sentence) {
    return reason(code, sentence, new Span(null, null, null, null));
  }

  static Reason reason(String code, String sentence, Span span) {
    return reason(code, sentence, span, null);
  }

  /** The same with the job for which it waits. */
  static Reason reason(String code, String sentence, Span span, @Nullable UUID blocker) {
    return new Reason(
        code,
        sentence,
        span.since(),
        span.until(),
        span.by(),
        span.reason(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        blocker == null ? null : blocker.toString());
  }

  static Reason reason(String code, String sentence, Room room) {
    int inFlight = room.inFlight();
    int most = room.maxConcurrency();
    return new Reason(
        code, sentence, null, null, null, null, inFlight, most, null, null, null, null, null, null);
  }

  static Reason reason(String code, String sentence, Pace pace) {
    return new Reason(
        code,
        sentence,
        null,
        null,
        null,
        null,
        null,
        null,
        pace.phase(),
        pace.rate(),
        pace.expectedAt(),
        null,
        null,
        null);
  }

  static Reason reason(String code, String sentence, Line line) {
    int ahead = line.ahead();
    boolean exact = line.exact();
    return new Reason(
        code, sentence, null, null, null, null, null, null, null, null, null, ahead, exact, null);
  }

  static Waiting waiting(WaitingJob job, @Nullable Instant start, List<Reason> reasons) {
    return new Waiting(
        job.id().toString(), JobState.AVAILABLE.word(), true, Answer.shownOrNull(start), reasons);
  }

  static Waiting running(WaitingJob job, WaitingJob.Run run) {
    String sentence = "Attempt %s runs on %s.".formatted(job.attempt(), run.node());
    Reason reason = reason("running", sentence, new Span(run.since(), null, null, null));
    return new Waiting(job.id().toString(), JobState.RUNNING.word(), false, null, List.of(reason));
  }

  static Waiting ended(JobView job) {
    String word = job.state().word();
    Span span = new Span(job.times().endedAt(), null, null, null);
    Reason reason = reason("ended", "It is a " + word + " job and waits for nothing.", span);
    if (job.state() == JobState.DEAD_LETTER) {
      reason = reason("ended", "The job is a dead letter. Only a redrive starts it again.", span);
    }
    return new Waiting(job.id().toString(), word, false, null, List.of(reason));
  }
}
