package dev.ebb.api.stats;

import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.stats.Overview;
import dev.ebb.db.stats.OverviewReads;
import dev.ebb.db.stats.Series;
import dev.ebb.db.stats.StatReads;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

/** Shows what was counted: of all queues lately, and of one over time. */
@Controller
@RequestMapping(produces = "application/json")
public final class StatsController {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = FirstQueues.MOST;

  private final StatReads stats;
  private final OverviewReads overviews;
  private final FirstQueues firstQueues;

  StatsController(StatReads stats, OverviewReads overviews, FirstQueues firstQueues) {
    this.stats = stats;
    this.overviews = overviews;
    this.firstQueues = firstQueues;
  }

  @GetMapping("/v1/stats/overview")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"cursor", "limit", "queue", "destinations"})
  Answer overview(Query query) throws SQLException {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    String after = cursor(query.value("cursor"));
    String queue = query.value("queue");
    boolean destinations = query.flag("destinations", false);
    if (queue == null) {
      return Answer.ok(OverviewResource.of(page(destinations, after, limit)));
    }
    try {
      NewJob.requireQueue(queue);
    } catch (InvalidInput invalid) {
      throw Refusal.parameter(invalid.field(), invalid.rule());
    }
    return Answer.ok(OverviewResource.of(overviews.one(queue)));
  }

  private Overview page(boolean destinations, String after, int limit) throws SQLException {
    if (destinations) {
      return overviews.destinations(after, limit);
    }
    boolean first = after.isEmpty() && limit == MAX_LIMIT;
    return first ? firstQueues.read() : overviews.page(after, limit);
  }

  /** The cursor is the name of the last queue that was shown. */
  private static String cursor(@Nullable String cursor) {
    if (cursor == null) {
      return "";
    }
    try {
      NewJob.requireQueue(cursor);
      return cursor;
    } catch (InvalidInput invalid) {
      throw Refusal.unknownCursor();
    }
  }

  @GetMapping("/v1/queues/{queue}/stats")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"from", "to", "step", "kind"})
  Answer series(Query query, @PathVariable String queue) throws SQLException {
    String kind = query.value("kind");
    try {
      NewJob.requireQueue(queue);
      if (kind != null) {
        NewJob.requireKind(kind);
      }
      Window window = Window.of(query);
      Series series =
          stats.series(queue, kind, window.step().minutes(), window.from(), window.to());
      return Answer.ok(SeriesResource.of(queue, kind, window, series));
    } catch (InvalidInput invalid) {
      throw Refusal.parameter(invalid.field(), invalid.rule());
    }
  }
}
