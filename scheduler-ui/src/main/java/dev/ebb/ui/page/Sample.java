package dev.ebb.ui.page;

import dev.ebb.contract.Attempt;
import dev.ebb.contract.AttemptList;
import dev.ebb.contract.Job;
import dev.ebb.ui.json.Exchange;
import dev.ebb.ui.json.Json;
import dev.ebb.ui.words.Url;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job with its last attempt.
 *
 * @param last {@code null} if none is stored any more, or too many are
 */
public record Sample(Job job, @Nullable Attempt last) {
  private static final String ATTEMPTS = "100";
  private static final int MOST_PAGES = 3;

  /** Empty if there is no such job any more. */
  public static Optional<Sample> find(Page page, String id) {
    return page.find(Job.class, "/v1/jobs/" + id).map(job -> new Sample(job, last(page, id)));
  }

  private static @Nullable Attempt last(Page page, String id) {
    String path = "/v1/jobs/" + id + "/attempts";
    String cursor = null;
    for (int read = 0; read < MOST_PAGES; read++) {
      AttemptList attempts =
          page.get(AttemptList.class, Url.of(path, "limit", ATTEMPTS, "cursor", cursor));
      cursor = attempts.nextCursor();
      if (cursor == null) {
        return attempts.items().stream().max(Comparator.comparing(Attempt::startedAt)).orElse(null);
      }
    }
    return null;
  }

  /** What it sent and got; {@code null} if it was no delivery. */
  public @Nullable Exchange exchange() {
    return last == null || last.detail() == null ? null : Exchange.of(Json.parsed(last.detail()));
  }

  /** What the attempt recorded where it was no delivery; {@code null} for nothing. */
  public @Nullable String detail() {
    return last == null || last.detail() == null || exchange() != null
        ? null
        : Exchange.shortened(Json.pretty(Json.parsed(last.detail())));
  }
}
