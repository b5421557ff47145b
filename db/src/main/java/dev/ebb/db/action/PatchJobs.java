package dev.ebb.db.action;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.settle.FreshBudget;
import dev.ebb.db.view.JobView;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * The action patch: replaces what the sender said of an available job. It writes over the version
 * that its caller has seen, so that no other change lies between their reading and this writing.
 */
public final class PatchJobs {
  private static final String OWN = "ebb.own_labels(t.labels, j.labels, j.payload_labels)";

  /** What the new payload gives. */
  private static final String TAKEN =
      """
      ebb.labels_from(
        coalesce((select k.labels_from from ebb.kind k where k.name = j.kind), '{}')
          || coalesce((select q.labels_from from ebb.queue q where q.name = j.queue), '{}'),
        t.payload, %s)\
      """
          .formatted(OWN);

  static final String PATCH =
      AvailableJobs.PICKED
          + """
          update ebb.job j
          set version = j.version + 1,
            priority = t.priority,
            max_attempts = t.max_attempts,
            policy = t.policy,
            timeout_millis = t.timeout_millis,
            labels = case when t.payload = j.payload then t.labels
              else nullif(coalesce(%1$s, '{}') || %2$s, '{}')
            end,
            payload_labels = case when t.payload = j.payload
              then array(
                select u.name
                from unnest(j.payload_labels) u (name)
                where t.labels ->> u.name = j.labels ->> u.name)
              else array(select jsonb_object_keys(%1$s))
            end,
            destination = t.destination,
            payload = t.payload,
            redriven_at = case when t.run_at = %3$s then j.redriven_at else %4$s end,
            %5$s
          from available a
          cross join (
            select
              ?::integer as version,
              coalesce(?::timestamptz, statement_timestamp()) as run_at,
              ?::smallint as priority,
              ?::integer as max_attempts,
              ?::jsonb as policy,
              ?::integer as timeout_millis,
              ?::jsonb as labels,
              ?::text as destination,
              ?::text as payload
          ) t
          where j.id = a.id
            and j.version = a.version
            and j.version = t.version
          returning j.id, j.queue, false as requested
          """
              .formatted(
                  TAKEN,
                  OWN,
                  AvailableJobs.DUE,
                  FreshBudget.OF_RUN_AT,
                  AvailableJobs.DUE_BEHIND_HOLD);

  private PatchJobs() {}

  static List<ActedJob> run(
      Connection connection, List<UUID> ids, List<String> queues, JobAction.Patch patch)
      throws SQLException {
    return AvailableJobs.run(connection, PATCH, ids, queues, p -> bind(p, patch));
  }

  static void bind(Parameters parameters, JobAction.Patch patch) throws SQLException {
    NewJob fields = patch.fields();
    parameters
        .integer(patch.version())
        .time(fields.runAt())
        .integer(fields.priority())
        .integer(fields.maxAttempts())
        .text(fields.policy() == null ? null : PolicyJson.write(fields.policy()).toString())
        .integer(fields.timeout() == null ? null : (int) fields.timeout().toMillis())
        .text(StoredSettings.text(fields.labels()))
        .text(DeliveryJson.destination(fields))
        .text(fields.payload());
  }

  /** What becomes of a job by a patch, for the audit. */
  public static Changes changes(JobView seen, NewJob fields) {
    return new Changes()
        .add("runAt", seen.times().runAt(), fields.runAt() == null ? "now" : fields.runAt())
        .add("priority", seen.priority(), fields.priority())
        .add("maxAttempts", seen.maxAttempts(), fields.maxAttempts())
        .add("policy", seen.policy(), fields.policy())
        .add("timeout", seen.timeout(), fields.timeout())
        .add("labels", seen.labels(), fields.labels())
        .addHidden("payload", seen.payload(), fields.payload());
  }
}
