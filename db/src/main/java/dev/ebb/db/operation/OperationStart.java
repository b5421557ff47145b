package dev.ebb.db.operation;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.Pace;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.InvalidQuery;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobQuery;
import dev.ebb.core.query.QueryText;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The verb start: a new operation, as its plan says. */
final class OperationStart {
  private static final String NOW =
      """
      select statement_timestamp() as now
      """;

  private static final String START =
      """
      insert into ebb.operation (
        created_at, %s,
        filter, job_ids, rate, stages, stop_ratio, max_jobs, pauses_after, matched, matched_exact,
        actor, token_id, address, reason)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?::text[]::integer[], ?, ?, ?, ?, ?, ?, ?, ?, ?)
      returning *
      """
          .formatted(ActionColumns.NAMES);

  private OperationStart() {}

  /**
   * Stores the operation, with its entry in the audit.
   *
   * @throws InvalidInput if the filter is too long to be stored
   */
  static OperationView start(Connection connection, OperationPlan plan, Matched matched, Act act)
      throws SQLException {
    SubjectOperations.keepLabel(connection, plan);
    Instant now = Statements.one(connection, NOW, _ -> {}, row -> Rows.instant(row, "now"));
    OperationPlan asOfNow = plan.asOf(now);
    String filter = asOfNow.filter() == null ? null : text(asOfNow.requireFilter());
    OperationView started =
        Statements.one(
            connection,
            START,
            p -> {
              bind(p.time(now), asOfNow, filter);
              p.bigint(matched.jobs()).flag(matched.exact());
              p.text(act.actor()).text(act.tokenId()).text(act.address()).text(act.reason());
            },
            OperationRow::view);
    String id = started.id().toString();
    long touched = plan.bounded(matched.jobs());
    Audit.write(connection, act, "operation." + plan.action().auditWord(), id, touched);
    return started;
  }

  private static void bind(Parameters parameters, OperationPlan plan, @Nullable String filter)
      throws SQLException {
    Pace pace = plan.pace();
    ActionColumns.bind(parameters, plan.action())
        .text(filter)
        .ids(plan.ids())
        .real(pace == null ? null : (Double) pace.perSecond())
        .texts(plan.stages().stream().map(String::valueOf).toList())
        .real(plan.stopRatio())
        .integer(plan.maxJobs())
        .integer(plan.pausesAfter());
  }

  /** The filter as a query, which has to be readable again. */
  private static String text(JobFilter filter) {
    String text = QueryText.of(filter);
    try {
      var _ = JobQuery.read(text, new FilterBuilder());
      return text;
    } catch (InvalidQuery tooLong) {
      throw new InvalidInput("filter", "must be shorter: as a query it " + tooLong.rule());
    }
  }
}
