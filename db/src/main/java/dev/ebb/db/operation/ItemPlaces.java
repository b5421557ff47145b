package dev.ebb.db.operation;

import dev.ebb.core.operation.OperationAction;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where the jobs are that an action did not take: the reason why they are skipped. */
final class ItemPlaces {
  private static final String PLACES =
      """
      select
        t.id,
        case
          when d.id is not null and d.payload = '' then 'payload_erased'
          when d.unique_key is not null and exists (
            select from ebb.job o where o.kind = d.kind and o.unique_key = d.unique_key
          ) then 'unique_key_taken'
          when d.id is not null then 'dead_letter'
          when j.id is not null and (j.id, j.version) in (
            select l.id, l.version from ebb.leased l where l.queue = j.queue
          ) then 'running'
          when ebb.is_held(j.held_version, j.version, j.held_until) then 'held'
          when j.id is not null then 'available'
          when h.id is null then 'not_found'
          when h.cancelled then 'cancelled'
          else 'completed'
        end as place
      from unnest(?::uuid[]) t (id)
      left join lateral (select * from ebb.dead_letter d where d.id = t.id offset 0) d on true
      left join lateral (select * from ebb.job j where j.id = t.id offset 0) j on true
      left join lateral (
        select h.id, h.cancelled
        from ebb.every_history h
        where d.id is null and j.id is null and h.id = t.id
          and h.ended_at >= coalesce(?::timestamptz, '-infinity')
        limit 1
      ) h on true
      """;

  private static final Map<OperationAction, Set<String>> FITTING =
      Map.of(
          OperationAction.RETRY, Set.of("available"),
          OperationAction.CANCEL, Set.of("available", "held", "running"),
          OperationAction.REDRIVE, Set.of("dead_letter"),
          OperationAction.DISCARD, Set.of("dead_letter", "payload_erased", "unique_key_taken"),
          OperationAction.RESCHEDULE, Set.of("available", "held"),
          OperationAction.HOLD, Set.of("available", "held"),
          OperationAction.SET_PRIORITY, Set.of("available", "held"));

  private ItemPlaces() {}

  /**
   * By job.
   *
   * @param endedSince when those that have ended did so at the earliest, which spares a look at
   *     older days; {@code null} if nobody knows
   */
  static Map<UUID, String> of(Connection connection, List<UUID> ids, @Nullable Instant endedSince)
      throws SQLException {
    Map<UUID, String> places = new TreeMap<>();
    Statements.list(
            connection,
            PLACES,
            p -> p.ids(ids).time(endedSince),
            row -> Map.entry(row.getObject("id", UUID.class), row.getString("place")))
        .forEach(entry -> places.put(entry.getKey(), entry.getValue()));
    return places;
  }

  /** Whether the action may still take a job there: somebody had it locked. */
  static boolean fits(OperationAction action, String place) {
    return FITTING.getOrDefault(action, Set.of()).contains(place);
  }
}
