package dev.ebb.api.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ebb.api.http.Answer;
import dev.ebb.core.job.JobState;
import dev.ebb.db.view.JobView;
import dev.ebb.db.waiting.WaitingJob;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Why a job waits.
 *
 * @param waiting whether it does: a job that runs or has ended says so as its only reason
 * @param reasons the first is the one to look at
 */
record WaitingResource(UUID job, String state, boolean waiting, List<Reason> reasons) {
  /**
   * A reason; what does not apply is left out.
   *
   * @param code for programs; later releases have more
   * @param sentence for people
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Reason(
      String code,
      String sentence,
      @JsonUnwrapped @Nullable Span span,
      @JsonUnwrapped @Nullable Room room,
      @JsonUnwrapped @Nullable Pace pace,
      @JsonUnwrapped @Nullable Line line) {

    static Reason of(String code, String sentence) {
      return new Reason(code, sentence, null, null, null, null);
    }

    static Reason of(String code, String sentence, Span span) {
      return new Reason(code, sentence, span, null, null, null);
    }

    static Reason of(String code, String sentence, Room room) {
      return new Reason(code, sentence, null, room, null, null);
    }

    static Reason of(String code, String sentence, Pace pace) {
      return new Reason(code, sentence, null, null, pace, null);
    }

    static Reason of(String code, String sentence, Line line) {
      return new Reason(code, sentence, null, null, null, line);
    }
  }

  /** Since when, until when, by whom and why. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
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

  static WaitingResource waiting(WaitingJob job, List<Reason> reasons) {
    return new WaitingResource(job.id(), JobState.AVAILABLE.word(), true, reasons);
  }

  static WaitingResource running(WaitingJob job, WaitingJob.Run run) {
    String sentence = "Attempt %s runs on %s.".formatted(job.attempt(), run.node());
    Reason reason = Reason.of("running", sentence, new Span(run.since(), null, null, null));
    return new WaitingResource(job.id(), JobState.RUNNING.word(), false, List.of(reason));
  }

  static WaitingResource ended(JobView job) {
    String word = job.state().word();
    Span span = new Span(job.times().endedAt(), null, null, null);
    Reason reason = Reason.of("ended", "It is a " + word + " job and waits for nothing.", span);
    if (job.state() == JobState.DEAD_LETTER) {
      reason =
          Reason.of("ended", "The job is a dead letter. Only a redrive starts it again.", span);
    }
    return new WaitingResource(job.id(), word, false, List.of(reason));
  }
}
