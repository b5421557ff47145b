package dev.ebb.db.queue;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.submit.Submit;
import dev.ebb.db.submit.Untold;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells people of destinations, by jobs to the destination that they chose for that. Who knows
 * something submits them in its transaction: each comes once, and a repeat of its delivery has the
 * same {@code webhook-id}.
 *
 * <p>In the whole cluster sixty an hour come one by one. What there is no slot for is kept until it
 * is told of together:
 *
 * <pre>
 *   who knows it ──▶ a free slot? ──yes──▶ a notice of its own
 *                        └────────no──▶ notice_rest ──▶ {@link ManyNotices}
 * </pre>
 */
public final class Notices {
  private static final String TO =
      """
      select q.name
      from ebb.settings s
      join ebb.queue q on q.name = s.notices
      where q.destination is not null
      """;

  // Slots that others take just now are skipped: nobody waits. A time ahead is from before the
  // clock was set back.
  private static final String TAKE =
      """
      with free as materialized (
        select s.slot
        from ebb.notice_slot s
        where s.slot > 0
          and s.taken_at not between now() - interval '1 hour' and now() + interval '1 minute'
        order by s.slot
        limit ?
        for update skip locked
      )
      update ebb.notice_slot s
      set taken_at = now()
      from free f
      where s.slot = f.slot
      """;

  private static final String KEEP =
      """
      insert into ebb.notice_rest (queue, type, since, at, dead, reason)
      values (?, ?, ?, ?, ?, ?)
      """;

  private Notices() {}

  /** Something to tell of a destination. */
  public record Notice(String type, String about, Instant since, Instant at) {
    /** As it is sent, without what only some have. */
    public ObjectNode body() {
      return JsonMapper.shared()
          .createObjectNode()
          .put("type", type)
          .put("destination", about)
          .put("since", since.toString())
          .put("at", at.toString());
    }
  }

  /**
   * A notice as it is sent.
   *
   * @param dead how many dead letters it tells of
   */
  public record Told(Notice notice, ObjectNode body, long dead) {
    @Nullable String reason() {
      return body.has("reason") ? body.path("reason").asString() : null;
    }
  }

  /** The destination that is told of others; {@code null} for none. */
  public static @Nullable String to(Connection connection) throws SQLException {
    return Statements.first(connection, TO, _ -> {}, row -> row.getString("name"));
  }

  /**
   * Submits as many of these as there are slots for, each by a job of its own, and keeps the others
   * until they are told of together; answers whether it submitted any.
   */
  public static boolean tell(Connection connection, String to, List<Told> notices)
      throws SQLException {
    if (notices.isEmpty()) {
      return false;
    }
    int alone = Statements.update(connection, TAKE, p -> p.integer(notices.size()));
    submit(connection, notices.stream().limit(alone).map(one -> job(to, one)).toList());
    for (Told one : notices.subList(alone, notices.size())) {
      keep(connection, one);
    }
    return alone > 0;
  }

  private static void keep(Connection connection, Told one) throws SQLException {
    Notice notice = one.notice();
    Statements.update(
        connection,
        KEEP,
        p ->
            p.text(notice.about())
                .text(notice.type())
                .time(notice.since())
                .time(notice.at())
                .bigint(one.dead())
                .text(one.reason()));
  }

  private static NewJob job(String to, Told one) {
    Notice notice = one.notice();
    return job(to, Map.of("notice", notice.type(), "about", notice.about()), one.body());
  }

  /** The job that tells something. */
  static NewJob job(String to, Map<String, String> labels, ObjectNode body) {
    ObjectNode payload = JsonMapper.shared().createObjectNode();
    payload.set("body", body);
    return NewJob.builder(DeliveryJson.KIND, payload.toString()).queue(to).labels(labels).build();
  }

  /** Submits such jobs. Workers look for them: who knows something may have nobody to notify. */
  static void submit(Connection connection, List<NewJob> jobs) throws SQLException {
    Submit.store(connection, Untold.lookedFor(jobs));
  }
}
