package dev.ebb.api.findings;

import dev.ebb.api.access.Needs;
import dev.ebb.api.database.DatabaseReports;
import dev.ebb.api.destinations.CircuitResource;
import dev.ebb.api.http.Answer;
import dev.ebb.api.nodes.NodeResource;
import dev.ebb.api.queues.LimiterResource;
import dev.ebb.api.queues.QueueResource;
import dev.ebb.api.stats.FirstQueues;
import dev.ebb.api.stats.OverviewResource;
import dev.ebb.contract.Circuit;
import dev.ebb.contract.DatabaseHealth.DueQueue;
import dev.ebb.contract.Finding;
import dev.ebb.contract.FindingList;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Queue;
import dev.ebb.core.access.Scope;
import dev.ebb.core.health.Verdict;
import dev.ebb.db.errors.ErrorGroups;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.queue.Circuits;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.stats.Overview;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/** Shows what is wrong now. */
@Controller
public final class FindingsController {
  private static final int NODES = 1_000;
  private static final int PAUSED = 1_000;
  private static final int CUT = 20;

  private static final int CIRCUITS = 1000;

  private final Nodes nodes;
  private final Queues queues;
  private final Limiters limiters;
  private final Circuits circuits;
  private final FirstQueues firstQueues;
  private final ErrorGroups groups;
  private final DatabaseReports database;

  FindingsController(
      Nodes nodes,
      Queues queues,
      Limiters limiters,
      Circuits circuits,
      FirstQueues firstQueues,
      ErrorGroups groups,
      DatabaseReports database) {
    this.nodes = nodes;
    this.queues = queues;
    this.limiters = limiters;
    this.circuits = circuits;
    this.firstQueues = firstQueues;
    this.groups = groups;
    this.database = database;
  }

  @GetMapping(path = "/v1/findings", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  Answer list() throws SQLException {
    Overview overview = firstQueues.recent();
    List<Queue> paused = queues.paused(PAUSED).stream().map(QueueResource::of).toList();
    List<Finding> found =
        new Findings(overview.now())
            .nodes(NodeResource.page(nodes.page("", NODES), NODES))
            .paused(paused, PAUSED)
            .late(due(overview))
            .limiters(cut())
            .circuits(open(), CIRCUITS)
            .deadLetters(groups.lastHour())
            .counts(OverviewResource.of(overview))
            .database(database.latest())
            .all();
    String verdict = found.isEmpty() ? Verdict.OK.word() : found.getFirst().verdict();
    return Answer.ok(new FindingList(Answer.shown(overview.now()), verdict, found));
  }

  private List<DueQueue> due(Overview overview) throws SQLException {
    Set<String> paused = queues.pausedNames();
    return overview.queues().stream().flatMap(queue -> queue.due(paused).stream()).toList();
  }

  private List<Circuit> open() throws SQLException {
    return circuits.troubled(CIRCUITS).stream()
        .map(CircuitResource::of)
        .filter(circuit -> circuit.openSince() != null)
        .sorted(Comparator.comparing(Circuit::openSince))
        .toList();
  }

  private Map<String, Limiter> cut() throws SQLException {
    Map<String, Limiter> cut = new LinkedHashMap<>();
    for (String queue : queues.cut(CUT)) {
      Limiter limiter = LimiterResource.find(limiters, queue);
      if (limiter != null) {
        cut.put(queue, limiter);
      }
    }
    return cut;
  }
}
