package dev.ebb.ui.late;

import dev.ebb.contract.Attempt;
import dev.ebb.contract.AuditChange;
import dev.ebb.contract.AuditEntry;
import dev.ebb.contract.AuditList;
import dev.ebb.contract.Circuit;
import dev.ebb.contract.Waiting;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When people kept a job from running or set it going again, as far as the audit tells its reader.
 *
 * @param holds in order
 * @param pauses of its queue, in order
 * @param circuits when its destination kept jobs, in order
 * @param redrives instants, in order
 * @param knowsPauses whether the reader may see the queue's audit
 */
public record Stops(
    List<Span> holds,
    List<Span> pauses,
    List<Span> circuits,
    List<Instant> redrives,
    boolean knowsPauses) {

  static final Stops NONE = new Stops(List.of(), List.of(), List.of(), List.of(), false);

  /** A span in which one of them kept the job. */
  record Stop(Part part, Span span) {}

  /** A beginning or an end; a beginning may name the end. */
  private record Switch(Instant at, boolean begins, @Nullable Instant until) {}

  /**
   * What the audit tells.
   *
   * @param job newest first
   * @param queue the same of its queue; {@code null} if the reader may not see it
   * @param waiting why it waits now; {@code null} if it does not
   * @param circuit of its destination; {@code null} if it has none
   */
  public static Stops of(
      AuditList job,
      @Nullable AuditList queue,
      @Nullable Waiting waiting,
      @Nullable Circuit circuit) {
    List<Instant> redrives =
        job.items().reversed().stream()
            .filter(entry -> entry.action().startsWith("job.redrive"))
            .map(AuditEntry::at)
            .toList();
    List<Span> pauses = new ArrayList<>(queue == null ? List.of() : spans(queue, Stops::pause));
    if (pauses.isEmpty() && waiting != null) {
      waiting.reasons().stream().flatMap(Stops::current).forEach(pauses::add);
    }
    return new Stops(spans(job, Stops::hold), pauses, circuits(circuit), redrives, queue != null);
  }

  /**
   * The same, where no hold outlasts the start of an attempt: an operation may have ended it, of
   * which the job's audit does not tell.
   *
   * @param held whether a hold may last until now
   */
  Stops endedBy(List<Attempt> attempts, boolean held, Instant now) {
    List<Span> ended =
        holds.stream()
            .map(hold -> new Span(hold.from(), firstStart(attempts, hold)))
            .filter(hold -> held || !hold.until().isAfter(now))
            .toList();
    return new Stops(ended, pauses, circuits, redrives, knowsPauses);
  }

  private static Instant firstStart(List<Attempt> attempts, Span hold) {
    return attempts.stream()
        .map(Attempt::startedAt)
        .filter(start -> start.isAfter(hold.from()) && start.isBefore(hold.until()))
        .findFirst()
        .orElse(hold.until());
  }

  /** Those that keep a job which is due, by their beginnings. */
  List<Stop> ofDue() {
    Stream<Stop> paused = pauses.stream().map(span -> new Stop(Part.PAUSED, span));
    Stream<Stop> kept = circuits.stream().map(span -> new Stop(Part.CIRCUIT, span));
    return Stream.of(ofHolds().stream(), paused, kept)
        .flatMap(one -> one)
        .sorted(Comparator.comparing(stop -> stop.span().from()))
        .toList();
  }

  List<Stop> ofHolds() {
    return holds.stream().map(span -> new Stop(Part.HELD, span)).toList();
  }

  boolean redroveIn(Span span) {
    return redrives.stream().anyMatch(at -> !at.isBefore(span.from()) && at.isBefore(span.until()));
  }

  private static Stream<Span> current(Waiting.Reason reason) {
    Instant since = reason.since();
    return reason.code().equals("queue_paused") && since != null
        ? Stream.of(new Span(since, Instant.MAX))
        : Stream.empty();
  }

  private static List<Span> circuits(@Nullable Circuit circuit) {
    if (circuit == null) {
      return List.of();
    }
    List<Span> spans = new ArrayList<>();
    circuit.spells().forEach(spell -> spans.add(new Span(spell.from(), spell.until())));
    if (circuit.openSince() != null) {
      spans.add(new Span(circuit.openSince(), Instant.MAX));
    }
    return spans;
  }

  private static List<Span> spans(AuditList audit, Function<AuditEntry, @Nullable Switch> reading) {
    List<Span> spans = new ArrayList<>();
    for (AuditEntry entry : audit.items().reversed()) {
      Switch one = reading.apply(entry);
      if (one == null) {
        continue;
      }
      if (!spans.isEmpty()) {
        Span last = spans.removeLast();
        spans.add(new Span(last.from(), Span.earlier(last.until(), one.at())));
      }
      if (one.begins()) {
        spans.add(new Span(one.at(), Objects.requireNonNullElse(one.until(), Instant.MAX)));
      }
    }
    return List.copyOf(spans);
  }

  private static @Nullable Switch hold(AuditEntry entry) {
    return switch (entry.action()) {
      case "job.hold" -> new Switch(entry.at(), true, instant(change(entry, "heldUntil")));
      case "job.release" -> new Switch(entry.at(), false, null);
      default -> null;
    };
  }

  /** A pause whose end alone is changed goes on until then. */
  private static @Nullable Switch pause(AuditEntry entry) {
    AuditChange paused = change(entry, "paused");
    AuditChange until = change(entry, "pausedUntil");
    if (paused == null && until == null) {
      return null;
    }
    boolean begins = paused == null || "true".equals(paused.to());
    return new Switch(entry.at(), begins, begins ? instant(until) : null);
  }

  private static @Nullable AuditChange change(AuditEntry entry, String field) {
    return Objects.requireNonNullElse(entry.changes(), List.<AuditChange>of()).stream()
        .filter(change -> change.field().equals(field))
        .findFirst()
        .orElse(null);
  }

  private static @Nullable Instant instant(@Nullable AuditChange change) {
    if (change == null || change.to() == null) {
      return null;
    }
    try {
      return Instant.parse(change.to());
    } catch (DateTimeException _) {
      return null;
    }
  }
}
