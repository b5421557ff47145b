package dev.ebb.db.queue;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells, by one notice an hour, of what there was no slot for: of how many destinations it is, and
 * which are the worst.
 */
public final class ManyNotices {
  private static final String TYPE = "destinations.many";

  // Nobody else deletes these: who groups dead letters is alone.
  private static final String TOGETHER =
      """
      with due as materialized (
        update ebb.notice_slot s
        set taken_at = now()
        where s.slot = 0 and ebb.notices_are_due()
        returning s.slot
      ), told as (
        delete from ebb.notice_rest r
        where r.id >= 0 and exists (select from due)
        returning r.queue, r.type, r.since, r.at, r.dead, r.reason
      ), of_each as (
        select
          t.queue,
          min(t.since) as since,
          coalesce(sum(t.dead), 0)::bigint as dead,
          bool_or(t.type = 'destination.disabled') as disabled,
          bool_or(t.type = 'destination.failing') as failing,
          bool_or(t.type = 'destination.recovered') as recovered,
          (array_agg(t.reason order by t.at desc) filter (where t.reason is not null))[1]
            as reason
        from told t
        where t.queue <> ?
        group by t.queue
      )
      select
        e.queue, e.since, e.dead, e.disabled, e.failing, e.recovered, e.reason,
        count(*) over () as destinations,
        count(*) filter (where e.disabled) over () as all_disabled,
        count(*) filter (where e.failing) over () as all_failing,
        count(*) filter (where e.recovered) over () as all_recovered,
        count(*) filter (where e.dead > 0) over () as with_dead,
        sum(e.dead) over ()::bigint as all_dead,
        min(e.since) over () as first_since,
        now() as now
      from of_each e
      order by e.disabled desc, e.failing desc, e.dead desc, e.since, e.queue
      limit 20
      """;

  private ManyNotices() {}

  /** Submits the notice that tells of the others together, once that is due. */
  public static void tell(Connection connection) throws SQLException {
    String to = Notices.to(connection);
    List<Worst> worst =
        Statements.list(connection, TOGETHER, p -> p.text(to == null ? "" : to), Worst::of);
    if (to != null && !worst.isEmpty()) {
      Notices.submit(connection, List.of(job(to, worst)));
    }
  }

  private static NewJob job(String to, List<Worst> worst) {
    ObjectNode body = worst.getFirst().all().deepCopy();
    ArrayNode named = body.putArray("worst");
    worst.forEach(one -> named.add(one.body()));
    return Notices.job(to, Map.of("notice", TYPE), body);
  }

  /**
   * One of the worst destinations.
   *
   * @param all what is told of all of them, which each row repeats
   */
  private record Worst(
      String queue,
      Instant since,
      long dead,
      boolean disabled,
      boolean failing,
      boolean recovered,
      @Nullable String reason,
      ObjectNode all) {
    static Worst of(ResultSet row) throws SQLException {
      return new Worst(
          row.getString("queue"),
          Rows.instant(row, "since"),
          row.getLong("dead"),
          row.getBoolean("disabled"),
          row.getBoolean("failing"),
          row.getBoolean("recovered"),
          row.getString("reason"),
          allOf(row));
    }

    private static ObjectNode allOf(ResultSet row) throws SQLException {
      return JsonMapper.shared()
          .createObjectNode()
          .put("type", TYPE)
          .put("since", Rows.instant(row, "first_since").toString())
          .put("at", Rows.instant(row, "now").toString())
          .put("destinations", row.getLong("destinations"))
          .put("disabled", row.getLong("all_disabled"))
          .put("failing", row.getLong("all_failing"))
          .put("recovered", row.getLong("all_recovered"))
          .put("withDeadLetters", row.getLong("with_dead"))
          .put("deadLetters", row.getLong("all_dead"));
    }

    ObjectNode body() {
      ObjectNode body =
          JsonMapper.shared()
              .createObjectNode()
              .put("destination", queue)
              .put("since", since.toString())
              .put("disabled", disabled)
              .put("failing", failing)
              .put("recovered", recovered)
              .put("deadLetters", dead);
      return reason == null ? body : body.put("reason", reason);
    }
  }
}
