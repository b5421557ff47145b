package dev.ebb.api.destinations;

import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.queues.QueuesController;
import dev.ebb.contract.DestinationAttempt;
import dev.ebb.contract.DestinationAttemptList;
import dev.ebb.core.access.Scope;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.view.DestinationAttempts;
import dev.ebb.db.view.EndedAttempt;
import java.sql.SQLException;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** Shows the last attempts of a destination, without what they sent and got. */
@Controller
public final class DestinationAttemptsController {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 100;

  private final Queues queues;
  private final DestinationAttempts attempts;

  DestinationAttemptsController(Queues queues, DestinationAttempts attempts) {
    this.queues = queues;
    this.attempts = attempts;
  }

  @GetMapping(path = "/v1/destinations/{destination}/attempts", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  @QueryParameters("limit")
  Answer list(@PathVariable String destination, Query query) throws SQLException {
    QueuesController.requireName(destination);
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    if (queues.destinations(List.of(destination)).isEmpty()) {
      throw DestinationsController.unknown(destination);
    }
    List<EndedAttempt> last = attempts.last(destination, limit + 1);
    return Answer.ok(
        new DestinationAttemptList(
            last.stream().limit(limit).map(DestinationAttemptsController::shown).toList(),
            last.size() <= limit));
  }

  private static DestinationAttempt shown(EndedAttempt attempt) {
    return new DestinationAttempt(
        attempt.job().toString(),
        attempt.number(),
        attempt.node(),
        Answer.shown(attempt.startedAt()),
        Answer.shown(attempt.endedAt()),
        attempt.outcome(),
        attempt.reason(),
        attempt.status(),
        attempt.rule());
  }
}
