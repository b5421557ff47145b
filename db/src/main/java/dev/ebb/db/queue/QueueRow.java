package dev.ebb.db.queue;

import dev.ebb.core.access.Act;
import dev.ebb.core.http.Destination;
import dev.ebb.core.job.Ordering;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.tls.TlsSettings;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.DestinationJson;
import dev.ebb.db.json.OrderingJson;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.RateLimitJson;
import dev.ebb.db.json.StoredSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the row that holds a queue's settings. */
final class QueueRow {
  private static final String LOCK =
      """
      select
        q.name, %1$s,
        case when q.paused and q.paused_until <= statement_timestamp() then q.paused_until end
          as ended_pause
      from ebb.queue q
      where q.name = ?
      for update
      """
          .formatted(QueueReads.SETTINGS);

  // Of two that create the queue at a time, the second waits for the first, and inserts nothing.
  private static final String INSERT =
      """
      insert into ebb.queue as q (
        name, policy, policy_name, rate_limit, max_concurrency, max_depth, weight, labels_from,
        ordering, destination, paused, paused_since, paused_by, pause_reason)
      values (
        ?, ?::jsonb, ?, ?::jsonb, ?, ?, ?, ?::jsonb, ?::jsonb, ?::jsonb, ?,
        case when ? then now() end, ?, ?)
      on conflict (name) do nothing
      returning q.name, %1$s
      """
          .formatted(QueueReads.SETTINGS);

  // The keys of an address, and its TLS, are changed by statements of their own.
  private static final String KEYS =
      """
      jsonb_strip_nulls(jsonb_build_object(
        'signing', q.destination -> 'signing', 'tls', q.destination -> 'tls'))\
      """;

  private static final String CHANGE_KEYS =
      """
      update ebb.queue q
      set destination = (q.destination - 'signing') || jsonb_build_object('signing', ?::jsonb)
      where q.name = ?
        and q.destination is not null
      returning q.name, %1$s
      """
          .formatted(QueueReads.SETTINGS);

  private static final String CHANGE_TLS =
      """
      update ebb.queue q
      set destination =
        (q.destination - 'tls') || jsonb_strip_nulls(jsonb_build_object('tls', ?::jsonb))
      where q.name = ?
        and q.destination is not null
      returning q.name, %1$s
      """
          .formatted(QueueReads.SETTINGS);

  // An address stays to the byte unless another is given: a newer version may have written it.
  private static final String UPDATE =
      """
      update ebb.queue q
      set policy = ?::jsonb, policy_name = ?, rate_limit = ?::jsonb, max_concurrency = ?,
        max_depth = ?, weight = ?, labels_from = ?::jsonb, ordering = ?::jsonb,
        destination = coalesce(?::jsonb || %2$s, q.destination),
        paused = false, paused_since = null, paused_by = null, pause_reason = null,
        paused_until = null
      where q.name = ?
      returning q.name, %1$s
      """
          .formatted(QueueReads.SETTINGS, KEYS);

  // A pause of a paused queue goes on since then, as the later one says.
  private static final String PAUSE =
      """
      insert into ebb.queue as q (
        name, paused, paused_since, paused_by, pause_reason, paused_until)
      values (?, true, now(), ?, ?, ?)
      on conflict (name) do update
      set paused = true,
        paused_since = case
          when q.paused and coalesce(q.paused_until > statement_timestamp(), true)
          then q.paused_since
          else excluded.paused_since
        end,
        paused_by = excluded.paused_by, pause_reason = excluded.pause_reason,
        paused_until = excluded.paused_until
      returning q.name, %1$s
      """
          .formatted(QueueReads.SETTINGS);

  private static final String KEEP_PAUSE =
      """
      update ebb.queue q
      set policy = ?::jsonb, policy_name = ?, rate_limit = ?::jsonb, max_concurrency = ?,
        max_depth = ?, weight = ?, labels_from = ?::jsonb, ordering = ?::jsonb,
        destination = coalesce(?::jsonb || %2$s, q.destination)
      where q.name = ?
      returning q.name, %1$s
      """
          .formatted(QueueReads.SETTINGS, KEYS);

  private static final String RESUME =
      """
      insert into ebb.queue as q (name)
      select wanted.name
      from (select ?::text as name) wanted
      where exists (select from ebb.queue q where q.name = wanted.name)
        or exists (select from ebb.job j where j.queue = wanted.name)
      on conflict (name) do update
      set paused = false, paused_since = null, paused_by = null, pause_reason = null,
        paused_until = null
      returning q.name, %1$s
      """
          .formatted(QueueReads.SETTINGS);

  private static final String REMOVE =
      """
      delete from ebb.queue
      where name = ?
      """;

  private QueueRow() {}

  /**
   * The row as it was before it is written.
   *
   * @param endedPause when the pause ended by itself of which it still tells
   */
  record Before(QueueView view, @Nullable Instant endedPause) {
    boolean paused() {
      return view.settings().paused();
    }

    @Nullable RateLimit rate() {
      return view.settings().rateLimit();
    }
  }

  /** Locks the row until the transaction ends; {@code null} if there is none. */
  static @Nullable Before lock(Connection connection, String name) throws SQLException {
    return Statements.first(connection, LOCK, p -> p.text(name), QueueRow::before);
  }

  private static Before before(ResultSet row) throws SQLException {
    return new Before(QueueReads.view(row), Rows.instantOrNull(row, "ended_pause"));
  }

  /** Creates the row; {@code null} if somebody else has. */
  static @Nullable QueueView insert(
      Connection connection, String name, QueueSettings settings, Act act) throws SQLException {
    boolean paused = settings.paused();
    return Statements.first(
        connection,
        INSERT,
        p ->
            settings(p.text(name), settings)
                .flag(paused)
                .flag(paused)
                .text(paused ? act.actor() : null)
                .text(paused ? act.reason() : null),
        QueueReads::view);
  }

  /** Replaces the settings of a row that is locked. One that stays paused keeps its pause. */
  static QueueView update(Connection connection, Before before, QueueSettings settings, Act act)
      throws SQLException {
    String name = before.view().name();
    boolean keeps = settings.paused() && before.paused();
    QueueView written =
        one(connection, keeps ? KEEP_PAUSE : UPDATE, p -> settings(p, settings).text(name));
    return settings.paused() && !keeps ? pause(connection, name, null, act) : written;
  }

  /** Replaces the keys of a destination that is locked. */
  static QueueView changeKeys(Connection connection, String name, List<SigningKey> keys)
      throws SQLException {
    return one(connection, CHANGE_KEYS, p -> p.text(DestinationJson.keys(keys)).text(name));
  }

  static QueueView changeTls(Connection connection, String name, @Nullable TlsSettings tls)
      throws SQLException {
    return one(connection, CHANGE_TLS, p -> p.text(DestinationJson.tls(tls)).text(name));
  }

  private static Parameters settings(Parameters parameters, QueueSettings settings)
      throws SQLException {
    RetryPolicy policy = settings.policy();
    RateLimit rateLimit = settings.rateLimit();
    Ordering ordering = settings.ordering();
    Destination destination = settings.destination();
    return parameters
        .text(policy == null ? null : PolicyJson.write(policy).toString())
        .text(settings.policyName())
        .text(rateLimit == null ? null : RateLimitJson.write(rateLimit).toString())
        .integer(settings.maxConcurrency())
        .integer(settings.maxDepth())
        .integer(settings.weight())
        .text(StoredSettings.text(settings.labelsFrom()))
        .text(ordering == null ? null : OrderingJson.write(ordering).toString())
        .text(destination == null ? null : DestinationJson.write(destination).toString());
  }

  static QueueView pause(Connection connection, String name, @Nullable Instant until, Act act)
      throws SQLException {
    return one(
        connection, PAUSE, p -> p.text(name).text(act.actor()).text(act.reason()).time(until));
  }

  /** {@code null} if the queue has neither settings nor jobs. */
  static @Nullable QueueView resume(Connection connection, String name) throws SQLException {
    return Statements.first(connection, RESUME, p -> p.text(name), QueueReads::view);
  }

  static void remove(Connection connection, String name) throws SQLException {
    Statements.update(connection, REMOVE, p -> p.text(name));
  }

  private static QueueView one(Connection connection, String sql, Statements.Binding binding)
      throws SQLException {
    return Statements.one(connection, sql, binding, QueueReads::view);
  }
}
