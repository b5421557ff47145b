package dev.ebb.ui.page.jobs;

import dev.ebb.contract.Attempt;
import dev.ebb.ui.json.Delivery;
import org.jspecify.annotations.Nullable;

/**
 * An attempt as a line of the page.
 *
 * @param id within the page
 */
public record AttemptLine(Attempt attempt, String id, @Nullable Delivery delivery) {

  static AttemptLine of(Attempt attempt) {
    return new AttemptLine(
        attempt,
        "try-" + attempt.startedAt().toEpochMilli() + "-" + attempt.number(),
        Delivery.of(attempt));
  }
}
