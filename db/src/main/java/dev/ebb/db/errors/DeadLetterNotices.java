package dev.ebb.db.errors;

import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.Notices;
import dev.ebb.db.queue.Notices.Notice;
import dev.ebb.db.queue.Notices.Told;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells people that jobs of destinations became dead letters, by {@code destination.dead_letters}:
 * a minute after the first one, and then once an hour of those that came since. Never of those of
 * the destination that is told, which would not end.
 *
 * <p>Both steps are part of the transaction that groups dead letters, which is alone: each dead
 * letter is counted by the transaction that first gives it a group, and told of by the one that
 * forgets the count.
 */
final class DeadLetterNotices {
  static final int AT_ONCE = 100;

  private static final String TYPE = "destination.dead_letters";

  // A dead letter whose row is locked is grouped, and counted, by a later pass. One that is erased
  // may lose its group, and was counted when it got that; an erased payload is empty.
  private static final String NOTE =
      """
      insert into ebb.dead_letter_notice as n (queue, next_at, dead, died_at, job_id, group_id)
      select
        d.queue, now() + interval '1 minute', count(*), min(d.died_at),
        (array_agg(d.id order by d.died_at, d.id))[1],
        (array_agg(d.error_group order by d.died_at, d.id))[1]
      from ebb.settings s
      join ebb.dead_letter d on d.queue <> s.notices
      join ebb.queue q on q.name = d.queue
      where d.id = any (?)
        and d.error_group is not null
        and d.payload <> ''
        and q.destination is not null
      group by d.queue
      order by d.queue
      on conflict (queue) do update
      set
        dead = n.dead + excluded.dead,
        (died_at, job_id, group_id) = (
          select f.died_at, f.job_id, f.group_id
          from (
            values
              (n.died_at, n.job_id, n.group_id),
              (excluded.died_at, excluded.job_id, excluded.group_id)
          ) as f (died_at, job_id, group_id)
          order by f.died_at nulls last, f.job_id
          limit 1
        )
      """;

  private static final String DUE =
      """
      select
        n.queue, n.dead, n.died_at, n.job_id, n.group_id, g.reason, g.subject, now() as now
      from ebb.dead_letter_notice n
      left join ebb.error_group g on g.id = n.group_id
      where n.next_at <= now()
      order by n.next_at, n.queue
      limit ?
      """;

  private static final String TOLD =
      """
      update ebb.dead_letter_notice
      set next_at = now() + interval '1 hour', dead = 0, died_at = null, job_id = null,
        group_id = null
      where queue = any (?)
      """;

  private static final String FORGET =
      """
      delete from ebb.dead_letter_notice where queue = any (?)
      """;

  private DeadLetterNotices() {}

  /**
   * The dead letters of a destination that nobody was told of.
   *
   * @param first of them; {@code null} if there are none
   */
  private record Count(String queue, long dead, @Nullable First first, Instant now) {
    static Count of(ResultSet row) throws SQLException {
      return new Count(
          row.getString("queue"),
          row.getLong("dead"),
          row.getLong("dead") == 0 ? null : First.of(row),
          Rows.instant(row, "now"));
    }
  }

  /** The first one, with what its group has in common. */
  private record First(
      Instant diedAt, UUID job, UUID group, @Nullable String reason, @Nullable String subject) {
    static First of(ResultSet row) throws SQLException {
      return new First(
          Rows.instant(row, "died_at"),
          row.getObject("job_id", UUID.class),
          row.getObject("group_id", UUID.class),
          row.getString("reason"),
          row.getString("subject"));
    }
  }

  /** Counts those of these that have their group, if anybody wants to be told. */
  static void note(Connection connection, List<UUID> grouped) throws SQLException {
    if (!grouped.isEmpty()) {
      Statements.update(connection, NOTE, p -> p.ids(grouped));
    }
  }

  /** Submits the notices that are due, and answers whether there may be more. */
  static boolean tell(Connection connection) throws SQLException {
    List<Count> due = Statements.list(connection, DUE, p -> p.integer(AT_ONCE), Count::of);
    if (due.isEmpty()) {
      return false;
    }
    String to = Notices.to(connection);
    List<Told> notices = new ArrayList<>();
    List<String> told = new ArrayList<>();
    List<String> forgotten = new ArrayList<>();
    for (Count one : due) {
      if (one.first() == null || to == null || to.equals(one.queue())) {
        forgotten.add(one.queue());
      } else {
        told.add(one.queue());
        notices.add(notice(one, one.first()));
      }
    }
    if (to != null) {
      Notices.tell(connection, to, notices);
    }
    Statements.update(connection, TOLD, p -> p.texts(told));
    Statements.update(connection, FORGET, p -> p.texts(forgotten));
    return due.size() == AT_ONCE;
  }

  private static Told notice(Count count, First first) {
    Notice notice = new Notice(TYPE, count.queue(), first.diedAt(), count.now());
    ObjectNode body =
        notice
            .body()
            .put("count", count.dead())
            .put("job", first.job().toString())
            .put("group", first.group().toString());
    if (first.reason() != null) {
      body.put("reason", first.reason());
    }
    if (first.subject() != null) {
      body.put("subject", first.subject());
    }
    return new Told(notice, body, count.dead());
  }
}
