package dev.ebb.ui.late;

import dev.ebb.contract.Attempt;
import dev.ebb.contract.Job;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a job's course.
 *
 * @param attempts oldest first
 * @param earlier whether there are attempts before these that are not shown
 * @param later whether there are attempts behind these that are not shown
 * @param now when it was asked for
 */
public record Course(
    Job job, List<Attempt> attempts, boolean earlier, boolean later, Stops stops, Instant now) {

  private static final String DELIVERY = "http";

  public Course {
    attempts = List.copyOf(attempts);
    stops = stops.endedBy(attempts, !job.isAvailable() || job.hold() != null, now);
  }

  boolean isDelivery() {
    return job.kind().equals(DELIVERY);
  }

  boolean is(String state) {
    return job.state().equals(state);
  }

  boolean isLive() {
    return !job.hasEnded();
  }

  /** When it ended; of a live job, now. */
  Instant ended() {
    return Objects.requireNonNullElse(job.endedAt(), now);
  }

  /** When its end was saved too; of a live job, now. */
  Instant end() {
    Instant saved = attempts.isEmpty() ? null : attempts.getLast().recordedAt();
    return isLive() || saved == null ? ended() : Span.later(ended(), saved);
  }

  /** The index of the first attempt since its last redrive: of none, how many there are. */
  int first() {
    for (int i = attempts.size(); i > 0; i--) {
      if (isRedriven(i)) {
        return i;
      }
    }
    return 0;
  }

  /** The attempts since its last redrive. */
  List<Attempt> sinceRedrive() {
    return attempts.subList(first(), attempts.size());
  }

  boolean wasRedriven() {
    return first() > 0 && isRedriven(first());
  }

  /** Whether it was redriven before the attempt at the index, which may be the one to come. */
  boolean isRedriven(int index) {
    if (index == 0) {
      return false;
    }
    boolean comes = index < attempts.size() || (isLive() && !later);
    return (comes && isGivenUp(attempts.get(index - 1))) || stops.redroveIn(before(index));
  }

  /** Whether it stayed a dead letter until it was discarded. */
  boolean wasDiscarded() {
    return is("cancelled")
        && !later
        && !attempts.isEmpty()
        && first() < attempts.size()
        && isGivenUp(attempts.getLast());
  }

  /** Between the end of the attempt before an index and the start of the one there. */
  private Span before(int index) {
    Instant ended = attempts.get(index - 1).endedAt();
    Instant from = ended == null ? Instant.MAX : ended;
    return new Span(from, index < attempts.size() ? attempts.get(index).startedAt() : Instant.MAX);
  }

  private boolean isGivenUp(Attempt attempt) {
    return switch (attempt.word()) {
      case "fatal" -> true;
      case "failed", "throttled" -> attempt.number() >= job.maxAttempts();
      default -> false;
    };
  }

  /** When it was due at first, since its last redrive; {@code null} if that is not known. */
  @Nullable Instant due() {
    int first = first();
    if (first < attempts.size()) {
      return first == 0 && missesEarlier() ? null : attempts.get(first).dueAt();
    }
    boolean waited = is("available") || is("cancelled");
    return waited && !later && (first > 0 || job.attempt() == 0) ? job.runAt() : null;
  }

  /** Whether the first attempt that is shown was not the first. */
  boolean missesEarlier() {
    return earlier || (!attempts.isEmpty() && attempts.getFirst().number() > 1);
  }

  /** Whether attempts since its last redrive are missing. */
  boolean isIncomplete() {
    int first = first();
    if (later || (attempts.isEmpty() && job.attempt() > 0) || (first == 0 && missesEarlier())) {
      return true;
    }
    for (int i = first + 1; i < attempts.size(); i++) {
      if (isBehindMissing(i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether attempts are missing before the one at the index. */
  boolean isBehindMissing(int index) {
    return index == 0
        ? missesEarlier()
        : attempts.get(index).number() > attempts.get(index - 1).number() + 1;
  }
}
