package dev.ebb.api.jobs.waiting;

import dev.ebb.api.jobs.waiting.WaitingResource.Line;
import dev.ebb.api.jobs.waiting.WaitingResource.Pace;
import dev.ebb.api.jobs.waiting.WaitingResource.Room;
import dev.ebb.api.jobs.waiting.WaitingResource.Span;
import dev.ebb.contract.Waiting.Reason;
import dev.ebb.core.Moment;
import dev.ebb.core.circuit.Circuit;
import dev.ebb.core.health.Plain;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.db.node.Coverage;
import dev.ebb.db.queue.CircuitView;
import dev.ebb.db.queue.Limiters.LimiterView;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.waiting.WaitingJob;
import dev.ebb.db.waiting.Waits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Collects why a job waits, in the order in which somebody would look. */
final class WaitingReasons {
  /** Within this time a worker has found a job, unless something keeps it. */
  private static final Duration MOMENTS = Duration.ofSeconds(10);

  private final List<Reason> reasons = new ArrayList<>();
  private final ExpectedStart start;
  private final WaitingJob job;

  WaitingReasons(ExpectedStart start) {
    this.start = start;
    this.job = start.job();
  }

  /** What keeps it until a time, or until somebody acts. */
  WaitingReasons standing() {
    if (job.runAt().isAfter(job.now())) {
      String sentence =
          "Attempt %s is due at %s.".formatted(job.attempt(), Moment.words(job.runAt()));
      reasons.add(
          WaitingResource.reason("not_due", sentence, new Span(null, job.runAt(), null, null)));
    }
    WaitingJob.Hold hold = job.hold();
    if (hold != null) {
      Span span = new Span(null, hold.until(), hold.by(), hold.reason());
      reasons.add(WaitingResource.reason("held", told("The job is held", span), span));
    }
    orderingKey();
    QueueView.Pause pause = start.pause();
    if (pause != null) {
      Span span = new Span(pause.since(), pause.until(), pause.by(), pause.reason());
      reasons.add(
          WaitingResource.reason(
              "queue_paused", told("The queue " + job.queue() + " is paused", span), span));
    }
    circuit();
    deadline();
    return this;
  }

  /** The job that is before it in its ordering key. */
  private void orderingKey() {
    WaitingJob.Blocker first = job.blocker();
    if (first == null) {
      return;
    }
    String failed =
        first.failure() == null ? "" : " Its last attempt failed with " + first.failure() + ".";
    String passes =
        first.until() == null ? "" : " It lets others pass at " + Moment.words(first.until()) + ".";
    String sentence =
        "The job waits for job %s, which comes first in the ordering key %s: attempt %s %s.%s%s"
            .formatted(first.id(), first.key(), first.attempt(), state(first), failed, passes);
    reasons.add(
        WaitingResource.reason(
            "ordering_key",
            sentence,
            new Span(null, first.until(), null, first.failure()),
            first.id()));
  }

  private String state(WaitingJob.Blocker first) {
    if (first.running()) {
      return "runs";
    }
    return first.runAt().isAfter(job.now())
        ? "is due at " + Moment.words(first.runAt())
        : "has been due since " + Moment.words(first.runAt());
  }

  private void circuit() {
    CircuitView view = start.circuit();
    if (view == null) {
      return;
    }
    Circuit circuit = view.circuit();
    Instant until = view.holds() ? circuit.heldUntil() : null;
    boolean asked = circuit.phase() == Circuit.Phase.CLOSED;
    Span span = new Span(circuit.openSince(), until, null, asked ? null : circuit.reason());
    String who = "The destination " + job.queue();
    String sentence =
        asked
            ? who + " asked us to wait until " + Moment.words(until) + "."
            : who
                + (circuit.phase() == Circuit.Phase.DISABLED ? " is disabled. " : " is failing. ")
                + probe(circuit, until);
    reasons.add(
        WaitingResource.reason(asked ? "destination_held" : "circuit_open", sentence, span));
  }

  private static String probe(Circuit circuit, @Nullable Instant until) {
    String probe =
        until == null
            ? "The next job that is due tries it."
            : circuit.phase() == Circuit.Phase.HALF_OPEN
                ? "One job is trying it now."
                : "One job will try it at " + Moment.words(until) + ".";
    return probe + " The others wait, and spend no attempt.";
  }

  /** What keeps it for ever: it cannot start before its policy's deadline any more. */
  private void deadline() {
    Instant last = job.lastStart();
    if (last != null && !start.isInTime()) {
      String sentence =
          "No attempt may start after "
              + Moment.words(last)
              + ", its policy's deadline. The job will end as a dead letter.";
      int place = job.now().isAfter(last) ? 0 : reasons.size();
      reasons.add(
          place, WaitingResource.reason("deadline", sentence, new Span(null, last, null, null)));
    }
  }

  private static String told(String what, Span span) {
    return what
        + (span.by() == null ? "" : " by " + span.by())
        + (span.until() == null ? "" : " until " + Moment.words(span.until()))
        + (span.reason() == null ? "." : ": " + span.reason());
  }

  /** Whether there is a node that could run it. */
  void nodes(Coverage nodes) {
    if (nodes.workers() == 0) {
      reasons.add(WaitingResource.reason("no_worker", "No worker is running."));
    } else if (nodes.knowing() == 0) {
      reasons.add(
          WaitingResource.reason(
              "kind_unknown",
              "No running node has a handler for the kind %s.".formatted(job.kind())));
    } else if (nodes.serving() == 0) {
      reasons.add(
          WaitingResource.reason(
              "queue_not_served",
              "No running node with a handler for the kind %s serves the queue %s."
                  .formatted(job.kind(), job.queue())));
    } else if (nodes.claiming() == 0) {
      reasons.add(
          WaitingResource.reason(
              "nodes_draining", "Every node that could run the job is draining."));
    } else if (nodes.free() == 0 && job.isDue()) {
      reasons.add(
          WaitingResource.reason(
              "nodes_full", "No node that could run the job had a free slot a few seconds ago."));
    }
  }

  void concurrency(int inFlight, int most) {
    if (inFlight >= most) {
      reasons.add(
          WaitingResource.reason(
              "max_concurrency",
              "The queue is running %s jobs, its maximum.".formatted(inFlight),
              new Room(inFlight, most)));
    }
  }

  /**
   * The queue's rate limit, while the job has to wait for it.
   *
   * @param ahead those before it
   */
  void rate(Waits.Ahead ahead) {
    LimiterView seen = start.limiter();
    Instant turn = start.at();
    if (seen == null || seen.rate() == null || turn == null || !turn.isAfter(job.now())) {
      return;
    }
    WarmUpLimiter.View view = new WarmUpLimiter(seen.rate()).view(seen.state(), seen.now());
    String phase = view.phase().name().toLowerCase(Locale.ROOT);
    String sentence =
        "The queue's rate limit is %s and lets %s start now. This job will %s %s."
            .formatted(
                phase,
                perSecond(view.currentRate()),
                ahead.exact() ? "start at about" : "not start before",
                Moment.words(turn));
    reasons.add(
        WaitingResource.reason("rate_limit", sentence, new Pace(phase, view.currentRate(), turn)));
  }

  private static String perSecond(double rate) {
    return Plain.rate(rate) + (rate == 1 ? " job" : " jobs") + " a second";
  }

  /** Those that a claim takes before it; if nothing else keeps it, it is merely new. */
  void others(Waits.Ahead ahead) {
    if (ahead.jobs() > 0) {
      String many = (ahead.exact() ? "" : "At least ") + ahead.jobs();
      reasons.add(
          WaitingResource.reason(
              "behind_others",
              many + (ahead.jobs() == 1 ? " due job" : " due jobs") + " of the queue come first.",
              new Line(ahead.jobs(), ahead.exact())));
    }
    if (reasons.isEmpty()) {
      Span span = new Span(job.runAt(), null, null, null);
      boolean fresh = job.runAt().plus(MOMENTS).isAfter(job.now());
      reasons.add(
          fresh
              ? WaitingResource.reason(
                  "just_due", "Due now. A worker will take the job in a moment.", span)
              : WaitingResource.reason(
                  "unexplained",
                  "Due since %s for no known reason. Check the worker logs."
                      .formatted(Moment.words(job.runAt())),
                  span));
    }
  }

  List<Reason> all() {
    return List.copyOf(reasons);
  }
}
