package dev.ebb.ui.standing;

import dev.ebb.contract.Circuit;
import dev.ebb.contract.Forecast.Minute;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Queue;
import dev.ebb.contract.Waiting.Part;
import dev.ebb.core.health.Plain;
import dev.ebb.ui.svg.CatchUp;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a queue stands: what keeps its jobs, how many wait, and until when. */
public final class QueueSentence {
  private static final String ANYBODY = "anybody";
  private static final String STALLED =
      "has started nothing for 5 minutes, for no known reason: check the workers' logs.";

  private final QueueReading reading;
  private final List<Part> parts = new ArrayList<>();

  private QueueSentence(QueueReading reading) {
    this.reading = reading;
  }

  /** The sentence, parted where it names instants. */
  public static List<Part> of(QueueReading reading) {
    QueueSentence sentence = new QueueSentence(reading);
    sentence.tell(Situation.of(reading));
    return List.copyOf(sentence.parts);
  }

  private void tell(Situation situation) {
    switch (situation) {
      case Situation.StartPaused _ ->
          apart("starts nothing: the start of the whole cluster is paused.");
      case Situation.Paused one -> paused(one.pause());
      case Situation.Kept one -> kept(one.circuit());
      case Situation.Unserved one -> apart("starts nothing: " + why(one.why()));
      case Situation.Throttled one -> throttled(one.limiter());
      case Situation.Failing one ->
          apart(
              "is failing: %s of attempts failed in the last 5 minutes."
                  .formatted(Words.percent(one.share())));
      case Situation.Full one ->
          behind(
              "runs %s of at most %s at a time".formatted(running(), Words.number(one.most())),
              drained());
      case Situation.NoSlot _ ->
          behind("waits for a free slot: each node that serves it is full", "");
      case Situation.Stalled _ -> apart(STALLED);
      case Situation.Limited one -> behind(starts(one.limiter()), caughtUp());
      case Situation.Behind _ ->
          behind(
              "finishes %s a minute".formatted(jobs(Math.round(reading.pace().out()))), drained());
      case Situation.KeepsUp _ -> say("keeps up: %s, and no due job waits.".formatted(run()), null);
      case Situation.Held _ -> held();
      case Situation.Later _ -> later();
      case Situation.Idle _ -> say("is idle: nothing waits, and " + ended() + ".", null);
    }
  }

  /** Begins with the queue's name. */
  private void say(String words, @Nullable Instant at) {
    parts.add(new Part(reading.queue().name() + " " + words, at));
  }

  /** Goes on. */
  private void add(String words) {
    parts.add(new Part(words, null));
  }

  /** How many jobs wait is a sentence of its own. */
  private void apart(String words) {
    say(words + " " + upperCased(dueJobs()) + ".", null);
  }

  private void behind(String words, String outlook) {
    say(words + "; " + dueJobs() + outlook + ".", null);
  }

  private void paused(Queue.@Nullable Pause pause) {
    if (pause == null) {
      apart("is paused.");
      return;
    }
    String reason = pause.reason() == null ? "." : full(": " + pause.reason());
    if (pause.until() == null) {
      apart(paused(pause.since()) + by(pause.by()) + reason);
      return;
    }
    say(paused(pause.since()) + by(pause.by()) + ", until ", pause.until());
    add(reason + " " + upperCased(dueJobs()) + ".");
  }

  private void kept(Circuit circuit) {
    boolean asked = circuit.openSince() == null;
    Instant until = circuit.heldUntil();
    String what =
        asked
            ? "asked us to wait"
            : (circuit.disabledSince() == null ? "is failing" : "is disabled after failing")
                + with(circuit.reason())
                + ", so jobs wait";
    if (until == null || circuit.state().equals("half_open")) {
      apart(what + (until == null ? "; the next one tries it." : "; one is trying it now."));
      return;
    }
    say(what + (asked ? " until " : "; one tries it at "), until);
    add(". " + upperCased(dueJobs()) + ".");
  }

  private static String with(@Nullable String reason) {
    return reason == null ? "" : " with " + reason;
  }

  private String paused(@Nullable Instant since) {
    if (since == null) {
      return "is paused";
    }
    Duration length = Duration.between(since, reading.now());
    return "has been paused for " + Words.coarse(length.isNegative() ? Duration.ZERO : length);
  }

  private static String by(@Nullable String who) {
    return who == null || who.equals(ANYBODY) ? "" : " by " + who;
  }

  private static String full(String text) {
    return text.matches("(?s).*[.!?]") ? text : text + ".";
  }

  private String why(Serving why) {
    return switch (why) {
      case NO_WORKER -> "no worker is running.";
      case KIND_UNKNOWN -> "no running node has a handler for the kind " + reading.kind() + ".";
      case NOT_SERVED -> "no running node serves it.";
      case DRAINING -> "each node that serves it is draining.";
      case FULL, FREE -> "";
    };
  }

  private void throttled(Limiter limiter) {
    String rate = rate(limiter.stableRate()) + " of " + rate(limiter.configuredRate());
    String now =
        limiter.phase().equals("warm") ? "" : ", and warms up at " + rate(limiter.currentRate());
    String who = reading.receiver() == null ? "its receiver" : reading.receiver();
    say(
        "is throttled to " + rate + now + ": " + who + " asked for less, last at ",
        limiter.throttledAt());
    add("; " + dueJobs() + caughtUp() + ".");
  }

  private static String starts(Limiter limiter) {
    String now = rate(limiter.currentRate());
    return limiter.phase().equals("warm")
        ? "is at its rate limit, " + now
        : "warms up: now " + now + ", rising to " + rate(limiter.stableRate());
  }

  private void held() {
    long held = reading.heldJobs();
    boolean exact = reading.held() != null && reading.held().exact();
    long others = reading.later() - held;
    String words =
        "has nothing to start: "
            + Words.counted(held, exact, "job")
            + (held == 1 ? " is held" : " are held")
            + (others == 0 ? "" : ", " + counted(others, "other", "wait") + " for later");
    next(words + "; the next becomes due", words + "; none becomes due");
  }

  private void later() {
    String words =
        "has nothing due: %s for later".formatted(counted(reading.later(), "job", "wait"));
    next(words + ", the next", words + ", none");
  }

  /** Ends with when the next job becomes due, be it by the end of a hold. */
  private void next(String some, String none) {
    Optional<Minute> next =
        reading.forecast().minutes().stream().filter(minute -> minute.jobs() > 0).findFirst();
    if (next.isEmpty()) {
      say(none + " within the hour.", null);
      return;
    }
    say(some + " at about ", next.get().at());
    add(".");
  }

  private String ended() {
    for (int minutes : new int[] {5, 15}) {
      long ended = reading.pace().ended(minutes);
      if (ended > 0) {
        return "%s ended in the last %s minutes".formatted(jobs(ended), minutes);
      }
    }
    return "none ended in the last 15 minutes";
  }

  private String dueJobs() {
    if (reading.due() == 0) {
      return "no due job waits";
    }
    Duration oldest = reading.oldestDue();
    return (reading.isDueExact() ? "" : "~")
        + counted(reading.due(), "due job", "wait")
        + (oldest == null ? "" : ", the oldest for " + Words.coarse(oldest));
  }

  private String caughtUp() {
    CatchUp catchUp = reading.catchUp();
    if (catchUp == null || reading.due() == 0) {
      return "";
    }
    return switch (catchUp.end()) {
      case KEEPS_UP -> "";
      case CAUGHT_UP -> "; caught up in about " + catchUp.words();
      case NEVER -> "; it will not catch up";
    };
  }

  private String drained() {
    Duration drain = reading.drain();
    return drain == null ? "" : "; drained in ~" + Words.coarse(drain);
  }

  private String run() {
    return counted(reading.inFlight(), "job", "run");
  }

  private String running() {
    return jobs(reading.inFlight());
  }

  private static String jobs(long number) {
    return Words.counted(number, "job");
  }

  /** How many do what. */
  private static String counted(long number, String noun, String verb) {
    return Words.counted(number, noun) + " " + verb + (number == 1 ? "s" : "");
  }

  private static String rate(double perSecond) {
    return Plain.rate(perSecond) + "/s";
  }

  private static String upperCased(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
