package dev.ebb.ui.late;

import dev.ebb.contract.Attempt;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the time after a job was due went to, in words: {@code 5 min 53 s went to backoff, 900 ms to
 * waiting for a slot}.
 */
final class Causes {
  private static final int MOST = 3;

  private final Course course;
  private final JobTime time;

  Causes(Course course, JobTime time) {
    this.course = course;
    this.time = time;
  }

  /** The words for what lies in the span; empty if that is too short to be told. */
  String words(Span span) {
    Map<String, Duration> causes = new LinkedHashMap<>();
    for (Stretch stretch : time.stretches()) {
      causes.merge(cause(stretch.part()), stretch.within(span), Duration::plus);
    }
    List<Map.Entry<String, Duration>> longest =
        causes.entrySet().stream()
            .filter(one -> one.getValue().toMillis() > 0)
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .limit(MOST)
            .toList();
    List<String> clauses = new ArrayList<>();
    for (Map.Entry<String, Duration> one : longest) {
      clauses.add(
          Words.length(one.getValue()) + (clauses.isEmpty() ? " went to " : " to ") + one.getKey());
    }
    String least = course.isIncomplete() && !clauses.isEmpty() ? "at least " : "";
    return least + String.join(", ", clauses);
  }

  /** How long somebody held it before an instant, since its last redrive. */
  Duration heldBefore(Instant due) {
    int first = course.first();
    Instant from = course.job().createdAt();
    if (first > 0) {
      Attempt before = course.attempts().get(first - 1);
      from = before.endedAt() == null ? from : before.endedAt();
    }
    Span span = new Span(from, due);
    return time.stretches().stream()
        .filter(one -> one.part() == Part.HELD)
        .map(one -> one.within(span))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private String cause(Part part) {
    if (part.isRun()) {
      return course.isDelivery() ? deliveries() : "the handler";
    }
    return switch (part) {
      case HELD -> "a hold";
      case PAUSED -> "a pause of the queue";
      case CIRCUIT -> "waiting for the destination to recover";
      case LIMITER -> "the queue's rate limit";
      case SLOT ->
          "waiting for a slot" + (course.stops().knowsPauses() ? "" : " or the end of a pause");
      case BACKOFF -> course.isDelivery() ? "backoff" : "backoff or snoozes";
      case LOST -> "a lost worker";
      case GIVEN_BACK -> "attempts that were given back";
      case COMMIT -> "saving outcomes";
      case SCHEDULED -> "a later time that it was given";
      case DEAD_LETTER -> "being a dead letter";
      default -> "what is not recorded";
    };
  }

  private String deliveries() {
    long runs =
        course.sinceRedrive().stream()
            .filter(attempt -> !attempt.word().equals("given_back"))
            .count();
    return runs == 1 ? "the delivery" : "the deliveries";
  }
}
