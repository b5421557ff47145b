package dev.ebb.api.findings;

import dev.ebb.api.access.Needs;
import dev.ebb.api.database.DatabaseReports;
import dev.ebb.api.http.Answer;
import dev.ebb.api.nodes.NodeResource;
import dev.ebb.api.stats.FirstQueues;
import dev.ebb.api.stats.OverviewResource;
import dev.ebb.contract.Finding;
import dev.ebb.contract.FindingList;
import dev.ebb.contract.NodeList;
import dev.ebb.core.access.Scope;
import dev.ebb.core.health.Verdict;
import dev.ebb.db.errors.ErrorGroups;
import dev.ebb.db.node.MissingKeys;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.stats.Overview;
import java.sql.SQLException;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/** Shows what is wrong now. */
@Controller
public final class FindingsController {
  private static final int NODES = 1_000;
  private static final int PAUSED = 1_000;
  private static final int CUT = 20;
  private static final int CIRCUITS = 1_000;
  private static final int CERTIFICATES = 1_000;

  private final Nodes nodes;
  private final MissingKeys missingKeys;
  private final QueueTroubles queues;
  private final FirstQueues firstQueues;
  private final ErrorGroups groups;
  private final DatabaseReports database;

  FindingsController(
      Nodes nodes,
      MissingKeys missingKeys,
      QueueTroubles queues,
      FirstQueues firstQueues,
      ErrorGroups groups,
      DatabaseReports database) {
    this.nodes = nodes;
    this.missingKeys = missingKeys;
    this.queues = queues;
    this.firstQueues = firstQueues;
    this.groups = groups;
    this.database = database;
  }

  @GetMapping(path = "/v1/findings", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  Answer list() throws SQLException {
    Overview overview = firstQueues.recent();
    NodeList all = NodeResource.page(nodes.page("", NODES), NODES);
    List<Finding> found =
        new Findings(overview.now())
            .nodes(all)
            .secrets(all, lacking(all))
            .paused(queues.paused(PAUSED), PAUSED)
            .late(queues.due(overview))
            .limiters(queues.cut(CUT))
            .circuits(queues.open(CIRCUITS), CIRCUITS)
            .certificates(queues.certificateEnds(CERTIFICATES), CERTIFICATES)
            .deadLetters(groups.lastHour())
            .counts(OverviewResource.of(overview))
            .database(database.latest())
            .all();
    String verdict = found.isEmpty() ? Verdict.OK.word() : found.getFirst().verdict();
    return Answer.ok(new FindingList(Answer.shown(overview.now()), verdict, found));
  }

  private LackingNodes lacking(NodeList nodes) throws SQLException {
    boolean some = nodes.items().stream().anyMatch(LackingNodes::isOne);
    return new LackingNodes(some ? missingKeys.list() : List.of());
  }
}
