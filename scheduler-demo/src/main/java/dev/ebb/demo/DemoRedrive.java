package dev.ebb.demo;

import dev.ebb.contract.JobCount;
import dev.ebb.core.access.Act;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobQuery;
import dev.ebb.db.connection.Database;
import dev.ebb.db.operation.Matched;
import dev.ebb.db.operation.Operations;
import dev.ebb.db.view.JobReads;
import java.sql.SQLException;
import java.util.List;

/** What somebody does in the {@link Story}: redrives refunds by stages, which stops by itself. */
final class DemoRedrive {
  /** By then refunds have died, and their merchants fail as before. */
  static final int SECOND = 40;

  private final Operations operations;
  private final JobReads reads;

  DemoRedrive(Database database) {
    this.operations = new Operations(database);
    this.reads = new JobReads(database);
  }

  /** Begins it, unless somebody has acted on many jobs before. */
  void begin() throws SQLException {
    if (!operations.page(null, 1).isEmpty()) {
      return;
    }
    JobFilter refunds = JobQuery.read("queue:" + Story.REFUNDS, new FilterBuilder()).build();
    OperationPlan plan =
        new OperationPlan(
            new JobAction.Redrive(true, true),
            refunds,
            List.of(),
            null,
            List.of(1, 10),
            null,
            null,
            0);
    JobCount dead = reads.countMany(plan.requireFilter());
    if (dead.count() > 0) {
      operations.start(
          plan,
          new Matched(dead.count(), dead.exact()),
          new Act("demo", null, null, "the shops say it is fixed"));
    }
  }
}
