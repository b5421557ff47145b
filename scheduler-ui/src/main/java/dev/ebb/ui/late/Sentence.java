package dev.ebb.ui.late;

import dev.ebb.contract.Attempt;
import dev.ebb.contract.Waiting;
import dev.ebb.ui.json.Exchange;
import dev.ebb.ui.json.Json;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What happened to a job, how late and why: one sentence. */
public final class Sentence {
  /** A job that waits for longer after it was due is late, even if no attempt failed. */
  static final Duration LATE = Duration.ofSeconds(10);

  private static final List<String> ORDINALS = List.of("first", "second", "third");

  private final Course course;
  private final Causes causes;
  private final String failures;
  private final @Nullable Instant due;

  private Sentence(Course course, JobTime time) {
    this.course = course;
    this.causes = new Causes(course, time);
    this.failures =
        Failures.words(course.sinceRedrive(), course.isDelivery(), course.isIncomplete());
    this.due = course.due();
  }

  /**
   * The sentence, parted where it names instants.
   *
   * @param waiting why it waits; {@code null} if it does not
   */
  public static List<Waiting.Part> of(Course course, JobTime time, @Nullable Waiting waiting) {
    Sentence sentence = new Sentence(course, time);
    if (waiting != null && !waiting.reasons().isEmpty()) {
      return sentence.waiting(waiting.reasons().getFirst());
    }
    String text =
        switch (course.job().state()) {
          case "completed" -> sentence.completed();
          case "dead_letter" -> sentence.givenUp();
          case "cancelled" -> sentence.cancelled();
          case "running" -> sentence.running();
          default -> sentence.soFar("it waits for its next attempt");
        };
    Integer answer = course.isDelivery() && course.is("completed") ? answer(course) : null;
    return answer == null
        ? List.of(new Waiting.Part(text + ".", null))
        : List.of(
            new Waiting.Part(text + ". The merchant answered " + answer + " at ", course.ended()),
            new Waiting.Part(".", null));
  }

  /** With what status the last delivery was answered, as far as it was kept. */
  private static @Nullable Integer answer(Course course) {
    String detail = course.attempts().isEmpty() ? null : course.attempts().getLast().detail();
    Exchange exchange = detail == null ? null : Exchange.of(Json.parsed(detail));
    return exchange == null ? null : exchange.status();
  }

  private String completed() {
    Instant ended = course.ended();
    Instant done = course.isDelivery() ? ended : lastStart(ended);
    if (!length(ended).isEmpty() && (hasFailed() || isLate(done))) {
      return told("Late by " + length(ended) + sinceRedrive(), ended);
    }
    String verb = course.isDelivery() ? "Delivered" : "Completed";
    String when = due == null || length(ended).isEmpty() ? "" : " " + after(ended);
    String at = (when.isEmpty() ? " " : ", ") + "at " + ordinal(course.job().attempt());
    return hasFailed()
        ? told(verb + when + at, ended)
        : joined(verb + when + at, "; ", failures) + held();
  }

  private String givenUp() {
    Instant ended = course.ended();
    boolean late = "deadline".equals(course.job().deadReason());
    return told(
        (late ? "Given up at its deadline" : "Given up") + attempts() + overdue(ended), ended);
  }

  private String cancelled() {
    Instant ended = course.ended();
    List<Attempt> attempts = course.sinceRedrive();
    if (attempts.isEmpty() && !course.isIncomplete()) {
      String when = due != null && due.isAfter(ended) ? " and before it was due" : overdue(ended);
      return told("Cancelled before it ran" + when, ended);
    }
    return told("Cancelled" + whenCancelled() + attempts() + overdue(ended), ended);
  }

  private String whenCancelled() {
    List<Attempt> attempts = course.sinceRedrive();
    if (!attempts.isEmpty() && attempts.getLast().word().equals("cancelled")) {
      return " while it ran";
    }
    if (course.wasDiscarded()) {
      return " as a dead letter";
    }
    return course.job().attempt() == 0 ? " while it waited" : " while retrying";
  }

  private String running() {
    Instant started = lastStart(course.now());
    Duration length = new Span(started, course.now()).length();
    String since = length.toMillis() == 0 ? "" : " for " + Words.length(length);
    int number = course.job().attempt();
    if (hasFailed() || isLate(started)) {
      return soFar("attempt " + number + " has been running" + since);
    }
    String which = length(started).isEmpty() ? "" : ", which started " + after(started);
    return "Running" + since + " at " + ordinal(number) + which;
  }

  /** The waiting answer's own sentence, behind how late the job is and what went wrong. */
  private List<Waiting.Part> waiting(Waiting.Reason reason) {
    List<Waiting.Part> parts = new ArrayList<>(reason.parts());
    Waiting.Part first = parts.getFirst();
    if (hasFailed() || isLate(course.now())) {
      parts.set(0, new Waiting.Part(soFar(lowerCased(first.text())), first.at()));
    }
    return parts;
  }

  private String soFar(String state) {
    String length = length(course.now());
    String late = length.isEmpty() ? "" : "Late by " + length + " so far" + sinceRedrive();
    String text = joined(joined(late, ": ", failures), failures.isEmpty() ? ": " : "; ", state);
    return upperCased(text);
  }

  /** The beginning, what went wrong, and what the time went to. */
  private String told(String beginning, Instant until) {
    Instant from = due;
    if (from == null && !course.sinceRedrive().isEmpty()) {
      from = course.sinceRedrive().getFirst().startedAt();
    }
    String went = from == null ? "" : causes.words(new Span(from, until));
    String why =
        Stream.of(failures, went).filter(one -> !one.isEmpty()).collect(Collectors.joining("; "));
    return joined(beginning, ": ", why) + held();
  }

  private String held() {
    Duration held = due == null ? Duration.ZERO : causes.heldBefore(due);
    return held.toSeconds() < 1
        ? ""
        : "; it was held for " + Words.length(held) + " before it was due";
  }

  private boolean hasFailed() {
    return course.sinceRedrive().stream().anyMatch(Failures::isFailed);
  }

  private String sinceRedrive() {
    return course.wasRedriven() ? " after its redrive" : "";
  }

  private boolean isLate(Instant at) {
    return due != null && Duration.between(due, at).compareTo(LATE) > 0;
  }

  private Instant lastStart(Instant otherwise) {
    Instant started = course.job().startedAt();
    return Objects.requireNonNullElse(started, otherwise);
  }

  /** From when it was due until then; empty if that is under a millisecond. */
  private String length(Instant until) {
    Duration length = due == null ? Duration.ZERO : new Span(due, until).length();
    return length.toMillis() == 0 ? "" : Words.length(length);
  }

  private String after(Instant at) {
    return length(at) + (course.wasRedriven() ? sinceRedrive() : " after it was due");
  }

  private String overdue(Instant at) {
    return length(at).isEmpty() ? "" : ", " + after(at);
  }

  private String attempts() {
    long known =
        course.sinceRedrive().stream().filter(one -> !one.word().equals("given_back")).count();
    long made = course.isIncomplete() ? course.job().attempt() : known;
    return made == 0 ? "" : " after " + Words.counted(made, "attempt");
  }

  private static String ordinal(int number) {
    return number >= 1 && number <= ORDINALS.size()
        ? "the " + ORDINALS.get(number - 1) + " attempt"
        : "attempt " + Words.number(number);
  }

  private static String joined(String one, String between, String other) {
    return one.isEmpty() || other.isEmpty() ? one + other : one + between + other;
  }

  private static String lowerCased(String text) {
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }

  private static String upperCased(String text) {
    return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
