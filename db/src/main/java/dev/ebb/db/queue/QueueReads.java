package dev.ebb.db.queue;

import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.DestinationJson;
import dev.ebb.db.json.StoredSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads queues: those that have settings, and those that merely have jobs. */
final class QueueReads {
  /** What a view needs of the row {@code q}, besides the queue's name. */
  static final String SETTINGS =
      """
      q.paused and coalesce(q.paused_until > statement_timestamp(), true) as is_paused,
      q.paused_since, q.paused_by, q.pause_reason, q.paused_until,
      q.policy, q.policy_name, q.rate_limit, q.max_concurrency, q.max_depth,
      q.weight, q.labels_from, q.ordering, q.destination,
      q.created_at\
      """;

  private static final String ONE =
      """
      select n.name, %1$s
      from (select ?::text as name) n
      left join ebb.queue q on q.name = n.name
      where q.name is not null
        or exists (select from ebb.job j where j.queue = n.name)
      """
          .formatted(SETTINGS);

  // Steps from queue to queue along the claim index, as the search for work does, and no further
  // than the page may reach.
  private static final String PAGE =
      """
      with recursive live (name, steps) as (
        (select j.queue, 1 from ebb.job j where j.queue > ? order by j.queue limit 1)
        union all
        select
          (select j.queue from ebb.job j where j.queue > l.name order by j.queue limit 1),
          l.steps + 1
        from live l
        where l.name is not null and l.steps < ?
      ), names as (
        (select q.name from ebb.queue q where q.name > ? order by q.name limit ?)
        union
        select l.name from live l where l.name is not null
      )
      select n.name, %1$s
      from (select name from names order by name limit ?) n
      left join ebb.queue q on q.name = n.name
      order by n.name
      """
          .formatted(SETTINGS);

  private static final String DESTINATIONS =
      """
      select q.name, %1$s
      from ebb.queue q
      where q.destination is not null and q.name > ?
      order by q.name
      limit ?
      """
          .formatted(SETTINGS);

  private static final String KNOWN_DESTINATIONS =
      """
      select q.name
      from ebb.queue q
      where q.destination is not null and q.name = any (?)
      """;

  private static final String PAUSED =
      """
      select q.name, %1$s
      from ebb.queue q
      where q.paused and coalesce(q.paused_until > statement_timestamp(), true)
      order by q.paused_since desc nulls last, q.name
      limit ?
      """
          .formatted(SETTINGS);

  private static final String PAUSED_NAMES =
      """
      select q.name
      from ebb.queue q
      where q.paused and coalesce(q.paused_until > statement_timestamp(), true)
      limit 10000
      """;

  private static final String CUT =
      """
      select q.name
      from ebb.limiter l
      join ebb.queue q on q.name = l.queue
      where l.cut_at is not null
        and q.rate_limit is not null
      order by l.cut_at desc, q.name
      limit ?
      """;

  private QueueReads() {}

  static Optional<QueueView> find(Connection connection, String name) throws SQLException {
    return Optional.ofNullable(
        Statements.first(connection, ONE, p -> p.text(name), QueueReads::view));
  }

  static QueuePage page(Connection connection, String after, int limit) throws SQLException {
    List<QueueView> found =
        Statements.list(
            connection,
            PAGE,
            p -> p.text(after).integer(limit + 1).text(after).integer(limit + 1).integer(limit + 1),
            QueueReads::view);
    return page(found, limit);
  }

  /** The first of those that were found, of which one more than the page has may be there. */
  private static QueuePage page(List<QueueView> found, int limit) {
    return found.size() <= limit
        ? new QueuePage(found, null)
        : new QueuePage(found.subList(0, limit), found.get(limit - 1).name());
  }

  static QueuePage destinations(Connection connection, String after, int limit)
      throws SQLException {
    return page(
        Statements.list(
            connection, DESTINATIONS, p -> p.text(after).integer(limit + 1), QueueReads::view),
        limit);
  }

  static Set<String> destinations(Connection connection, Collection<String> among)
      throws SQLException {
    return new HashSet<>(
        Statements.list(
            connection, KNOWN_DESTINATIONS, p -> p.texts(among), row -> row.getString("name")));
  }

  static List<QueueView> paused(Connection connection, int limit) throws SQLException {
    return Statements.list(connection, PAUSED, p -> p.integer(limit), QueueReads::view);
  }

  static Set<String> pausedNames(Connection connection) throws SQLException {
    return new HashSet<>(
        Statements.list(connection, PAUSED_NAMES, _ -> {}, row -> row.getString("name")));
  }

  static List<String> cut(Connection connection, int limit) throws SQLException {
    return Statements.list(connection, CUT, p -> p.integer(limit), row -> row.getString("name"));
  }

  /** The queue of a row that has its name and its settings. */
  static QueueView view(ResultSet row) throws SQLException {
    boolean paused = row.getBoolean("is_paused");
    return new QueueView(
        row.getString("name"),
        settings(row, paused),
        paused ? pause(row) : null,
        Rows.instantOrNull(row, "created_at"));
  }

  private static QueueSettings settings(ResultSet row, boolean paused) throws SQLException {
    return new QueueSettings(
        paused,
        StoredSettings.policy(row.getString("policy")),
        row.getString("policy_name"),
        StoredSettings.rateLimit(row.getString("rate_limit")),
        row.getObject("max_concurrency", Integer.class),
        row.getObject("max_depth", Integer.class),
        row.getObject("weight", Integer.class),
        StoredSettings.labels(row.getString("labels_from")),
        StoredSettings.ordering(row.getString("ordering")),
        DestinationJson.stored(row.getString("destination")));
  }

  private static QueueView.Pause pause(ResultSet row) throws SQLException {
    return new QueueView.Pause(
        Rows.instantOrNull(row, "paused_since"),
        row.getString("paused_by"),
        row.getString("pause_reason"),
        Rows.instantOrNull(row, "paused_until"));
  }
}
