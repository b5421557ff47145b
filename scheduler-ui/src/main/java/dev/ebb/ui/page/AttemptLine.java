package dev.ebb.ui.page;

import dev.ebb.ui.answer.Attempt;
import dev.ebb.ui.answer.Delivery;
import dev.ebb.ui.answer.Job;
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
 * @param bar where its time went; {@code null} where it did not say
 */
public record AttemptLine(
    Attempt attempt, String id, String before, @Nullable Delivery delivery, @Nullable String bar) {

  /** The lines of a job's attempts, oldest first. */
  static List<AttemptLine> of(Job job, List<Attempt> attempts) {
    List<@Nullable Delivery> deliveries = new ArrayList<>();
    long longest = 1;
    for (Attempt attempt : attempts) {
      Delivery delivery = attempt.delivery();
      deliveries.add(delivery);
      longest = Math.max(longest, delivery == null ? 0 : delivery.millis());
    }
    List<AttemptLine> lines = new ArrayList<>();
    for (int i = 0; i < attempts.size(); i++) {
      Attempt attempt = attempts.get(i);
      Delivery delivery = deliveries.get(i);
      lines.add(
          new AttemptLine(
              attempt,
              "try-" + attempt.startedAt().toEpochMilli() + "-" + attempt.number(),
              before(job, i == 0 ? null : attempts.get(i - 1), attempt, i == attempts.size() - 1),
              delivery,
              delivery == null ? null : TimeBar.draw(delivery.parts(), longest)));
    }
    return lines;
  }

  /** The due instant is known of the last attempt alone: the job keeps but one. */
  private static String before(Job job, @Nullable Attempt previous, Attempt attempt, boolean last) {
    Instant started = attempt.startedAt();
    boolean known = last && !job.runAt().isAfter(started);
    String waited = known ? "due for " + between(job.runAt(), started) : "";
    if (previous != null && previous.endedAt() != null) {
      String pause = between(previous.endedAt(), started) + " after the try before";
      return known ? waited + ", " + pause : pause;
    }
    if (attempt.number() > 1) {
      return waited;
    }
    String sent = between(job.createdAt(), started) + " after the submit";
    return known ? waited + ", " + sent : sent;
  }

  private static String between(Instant from, Instant until) {
    Duration length = Duration.between(from, until);
    return Words.length(length.isNegative() ? Duration.ZERO : length);
  }
}
