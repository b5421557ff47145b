package dev.ebb.ui.late;

import dev.ebb.contract.Attempt;
import dev.ebb.contract.AuditChange;
import dev.ebb.contract.AuditEntry;
import dev.ebb.contract.AuditList;
import dev.ebb.contract.Circuit;
import dev.ebb.contract.CircuitRule;
import dev.ebb.contract.Failure;
import dev.ebb.contract.Hold;
import dev.ebb.contract.Job;
import dev.ebb.contract.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What happened to a job that was submitted at noon; instants are milliseconds from then. */
final class Past {
  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final List<Attempt> attempts = new ArrayList<>();
  private final List<AuditEntry> audit = new ArrayList<>();
  private final List<AuditEntry> queueAudit = new ArrayList<>();
  private final String kind;
  private boolean earlier;
  private boolean later;
  private final List<Circuit.Spell> spells = new ArrayList<>();
  private @Nullable Hold hold;
  private int due;

  private Past(String kind) {
    this.kind = kind;
  }

  static Past delivery() {
    return new Past("http");
  }

  static Past of(String kind) {
    return new Past(kind);
  }

  static Instant at(long millis) {
    return NOON.plusMillis(millis);
  }

  /** An attempt with its due instant, start, end and commit. */
  Past attempt(int number, String outcome, @Nullable String reason, int... times) {
    return attempt(number, outcome, reason, null, 0, times);
  }

  Past attempt(
      int number,
      String outcome,
      @Nullable String reason,
      @Nullable String detail,
      int limiter,
      int... times) {
    boolean ended = times.length > 2;
    int waited = Math.max(0, times[1] - times[0]);
    attempts.add(
        new Attempt(
            number,
            "n",
            at(times[0]),
            new Attempt.WaitParts(Duration.ofMillis(limiter), Duration.ofMillis(waited - limiter)),
            at(times[1]),
            ended ? at(times[2]) : null,
            ended ? at(times[3]) : null,
            ended ? outcome : null,
            reason == null ? null : new Failure(reason, "no"),
            detail));
    return this;
  }

  Past add(Attempt attempt) {
    attempts.add(attempt);
    return this;
  }

  Past acted(String action, int at, String... changes) {
    (action.startsWith("job") ? audit : queueAudit).addFirst(entry(action, at, changes));
    return this;
  }

  private static AuditEntry entry(String action, int at, String... changes) {
    List<AuditChange> all = new ArrayList<>();
    for (int i = 0; i + 1 < changes.length; i += 2) {
      all.add(new AuditChange(changes[i], null, changes[i + 1]));
    }
    return new AuditEntry("id", at(at), "ann", null, null, null, action, "it", 1, all);
  }

  /** Its destination kept jobs meanwhile. */
  Past keptByItsDestination(int from, int until) {
    spells.add(new Circuit.Spell(at(from), at(until), false));
    return this;
  }

  private Circuit circuit() {
    CircuitRule rule =
        new CircuitRule(
            true, 1, 1, 1, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, 1);
    return new Circuit(
        "payments", "closed", NOON, null, null, null, null, 0, 0, 0, 0, spells, rule);
  }

  Past heldNow() {
    hold = new Hold(null, null);
    return this;
  }

  Past withEarlier() {
    earlier = true;
    return this;
  }

  Past withLater() {
    later = true;
    return this;
  }

  Past due(int millis) {
    due = millis;
    return this;
  }

  /** As it is told at an instant, at which one that has ended ended. */
  Course is(String state, int attempt, int now) {
    boolean ended = !state.equals("available") && !state.equals("running");
    Attempt last = attempts.isEmpty() ? null : attempts.getLast();
    Job job =
        new Job(
            "id",
            kind,
            "payments",
            5,
            state,
            state,
            attempt,
            3,
            at(due),
            NOON,
            later ? at(now - 5) : last == null ? null : last.startedAt(),
            ended ? at(now) : null,
            "n",
            null,
            state.equals("dead_letter") ? "attempts_used_up" : null,
            false,
            null,
            null,
            null,
            null,
            null,
            null,
            Map.of(),
            null,
            null,
            null,
            null,
            hold,
            null,
            null,
            null);
    Stops stops =
        Stops.of(new AuditList(audit, null), new AuditList(queueAudit, null), null, circuit());
    return new Course(job, attempts, earlier, later, stops, at(now));
  }

  /** The sentence of a course. */
  static String told(Course course, @Nullable String waiting) {
    Waiting answer = waiting == null ? null : answer(waiting);
    return Sentence.of(course, JobTime.of(course), answer).stream()
        .map(part -> part.text() + (part.at() == null ? "" : part.at()))
        .collect(Collectors.joining());
  }

  private static Waiting answer(String sentence) {
    Waiting.Reason reason =
        new Waiting.Reason(
            "any", sentence, null, null, null, null, null, null, null, null, null, null, null,
            null);
    return new Waiting("id", "available", true, null, List.of(reason));
  }

  /** The stretches of a course: the part and its milliseconds. */
  static List<String> stretches(Course course) {
    return JobTime.of(course).stretches().stream()
        .map(one -> one.part().word() + " " + one.length().toMillis())
        .toList();
  }
}
