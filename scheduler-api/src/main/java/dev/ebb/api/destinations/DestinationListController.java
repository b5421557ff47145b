package dev.ebb.api.destinations;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.queues.QueuesController;
import dev.ebb.contract.DestinationHealth;
import dev.ebb.contract.DestinationList;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.queue.DestinationReads;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.queue.Trouble;
import dev.ebb.db.queue.WorstPage;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** Lists destinations, by name or the worst first, and shows how they do. */
@Controller
public final class DestinationListController {
  private static final int DEFAULT_LIMIT = 200;
  private static final int MAX_LIMIT = 1000;

  /** Each has a day of figures. */
  private static final int DEFAULT_WORST = 50;

  private static final int MAX_WORST = 100;

  private static final String BY_NAME = "name";
  private static final String WORST = "worst";

  /** Of a list of the worst: how bad it is with the last one, and its name. */
  private static final Pattern CURSOR = Pattern.compile("([0-9.E-]{1,24}):(.+)");

  private final Queues queues;
  private final DestinationReads reads;
  private final HealthReader healths;

  DestinationListController(Queues queues, DestinationReads reads, HealthReader healths) {
    this.queues = queues;
    this.reads = reads;
    this.healths = healths;
  }

  @GetMapping(path = "/v1/destinations", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"sort", "cursor", "limit"})
  Answer list(Query query, Caller caller) throws SQLException {
    if (query.word("sort", List.of(BY_NAME, WORST), BY_NAME).equals(WORST)) {
      return Answer.ok(worst(query, caller));
    }
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    String after = QueuesController.cursor(query.value("cursor"));
    return Answer.ok(DestinationResource.page(queues.destinations(after, limit), caller));
  }

  private DestinationList worst(Query query, Caller caller) throws SQLException {
    int limit = query.integer("limit", 1, MAX_WORST, DEFAULT_WORST);
    Trouble after = after(query.value("cursor"));
    List<Trouble> worsening = healths.worsening();
    WorstPage page = reads.worst(worsening, after, limit);
    List<String> names = page.destinations().stream().map(QueueView::name).toList();
    Map<String, DestinationHealth> found = healths.of(names, worsening);
    return new DestinationList(
        page.destinations().stream()
            .map(one -> DestinationResource.of(one, found.get(one.name()), caller))
            .toList(),
        page.next() == null ? null : page.next().degree() + ":" + page.next().destination());
  }

  private static Trouble after(@Nullable String cursor) {
    if (cursor == null) {
      return Trouble.FIRST;
    }
    Matcher parts = CURSOR.matcher(cursor);
    if (!parts.matches()) {
      throw Refusal.unknownCursor();
    }
    try {
      NewJob.requireQueue(parts.group(2));
      return new Trouble(Double.parseDouble(parts.group(1)), parts.group(2));
    } catch (IllegalArgumentException _) {
      throw Refusal.unknownCursor();
    }
  }

  /** How one does. */
  @GetMapping(path = "/v1/destinations/{destination}/health", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  Answer health(@PathVariable String destination) throws SQLException {
    QueuesController.requireName(destination);
    List<String> named = List.of(destination);
    if (queues.destinations(named).isEmpty()) {
      throw DestinationsController.unknown(destination);
    }
    return Answer.ok(
        Objects.requireNonNull(healths.of(named, healths.worsening()).get(destination)));
  }
}
