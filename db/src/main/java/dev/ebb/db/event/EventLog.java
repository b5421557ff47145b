package dev.ebb.db.event;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Has events written, and reads all that became visible since a position, page by page. */
public final class EventLog {
  /** How many rows a read takes, at most: more than any transaction of Ebb writes. */
  public static final int PAGE = 5_000;

  /** How old a position may be to be read from. */
  public static final Duration KEPT = Duration.ofHours(1);

  // Ten minutes more than events are kept: to listen is said again while somebody does.
  private static final String LISTEN =
      """
      insert into ebb.listening as l (listened_until)
      values (now() + interval '70 minutes')
      on conflict (one) do update
      set listened_until = excluded.listened_until
      where l.listened_until < excluded.listened_until
      """;

  // Whoever has a lower number may have looked before.
  private static final String HEARD =
      """
      select pg_current_xact_id()::text
      """;

  private static final String FORGET =
      """
      select set_config('lock_timeout', '300ms', true), ebb.forget_events()
      """;

  private static final String CAN_FORGET_ALL =
      """
      select to_regprocedure('ebb.forget_every_event()') is not null as can
      """;

  private static final String FORGET_ALL =
      """
      select ebb.forget_every_event()
      """;

  private static final String NOW =
      """
      select pg_current_snapshot()::text as snapshot, now() as now,
        coalesce((select born from ebb.listening), 'epoch') as server
      """;

  // Of the transactions that were still under way, and of the later ones. A dump takes events
  // along,
  // whose transactions may lie ahead where it was restored: they are not read before the numbers
  // come to them, and people who confirm the database have them forgotten before that.
  //
  // An attempt that a node of the release before settled does not say of what job it was, nor
  // whether the job was given up with it: for that one alone it is guessed from where the job is.
  private static final String READ =
      """
      with fresh as materialized (
        select f.*
        from (
          (select * from ebb.event where xact = any (?::text[]::xid8[]) order by xact limit ?)
          union all
          (select *
           from ebb.event
           where xact >= ?::text::xid8
             and xact < pg_snapshot_xmax(pg_current_snapshot())
           order by xact
           limit ?)
        ) f
        order by f.xact
        limit ?
      )
      select
        pg_current_snapshot()::text as snapshot, now() as now,
        coalesce((select born from ebb.listening), 'epoch') as server,
        f.xact::text as xact, f.what, f.id, f.at, f.attempt, f.reason, f.action, f.subject,
        f.affected, case when n.errors then f.error end as error,
        case when j.dead_at = f.attempt and f.outcome <> 'released' then 'dead_letter'
          else f.outcome end as outcome,
        coalesce(f.queue, j.queue) as queue,
        coalesce(f.kind, j.kind) as kind,
        coalesce(f.created_at, j.created_at) as created_at,
        coalesce(f.unique_key, j.unique_key) as unique_key,
        case when n.labels then coalesce(f.labels, j.labels)::text end as labels,
        coalesce(f.destination, j.destination) as destination,
        ebb.subject(
          n.subject, coalesce(f.labels, j.labels), coalesce(f.destination, j.destination)
        ) as job_subject
      from (
        select
          ?::boolean as labels, ?::boolean as errors,
          (select s.subject from ebb.settings s) as subject
      ) n
      left join fresh f on true
      left join lateral (
        select queue, kind, created_at, unique_key, labels, destination,
          null::integer as dead_at
        from ebb.job
        where id = f.id and f.what = 'attempt' and f.queue is null
        union all
        select queue, kind, created_at, unique_key, labels, destination, attempt
        from ebb.dead_letter
        where id = f.id and f.what = 'attempt' and f.queue is null
        union all
        select queue, kind, created_at, unique_key, labels, destination, null
        from ebb.every_history
        where id = f.id and f.what = 'attempt' and f.queue is null
          and ended_at > now() - interval '1 day'
        limit 1
      ) j on true
      order by f.xact
      """;

  private final Database database;

  public EventLog(Database database) {
    this.database = database;
  }

  /**
   * Has events written from now on; to be said again every few minutes. Answers a transaction: all
   * events of this one and those above are written, and those of transactions below it only where
   * somebody listened before.
   */
  public long listen() throws SQLException {
    return database.inAutocommit(connection -> {
      Statements.run(connection, LISTEN, _ -> {});
      return Long.parseLong(Statements.one(connection, HEARD, _ -> {}, row -> row.getString(1)));
    });
  }

  /** Forgets events that are no longer kept. */
  public void forget() throws SQLException {
    var _ =
        database.inTransaction(
            connection -> Statements.one(connection, FORGET, _ -> {}, row -> row.getBoolean(2)));
  }

  /**
   * Forgets every event, and has readers begin anew: a dump brings the events of another server,
   * and a restore places that mean nothing any more. A schema that is older stays as it is.
   */
  public static void forgetAll(Connection connection) throws SQLException {
    if (Statements.one(connection, CAN_FORGET_ALL, _ -> {}, row -> row.getBoolean("can"))) {
      Statements.run(connection, FORGET_ALL, _ -> {});
    }
  }

  /** The end of all that is visible now. */
  public EventPosition now() throws SQLException {
    return database.inAutocommit(
        connection -> Statements.one(connection, NOW, _ -> {}, EventLog::position));
  }

  /** What became visible after that position, to its end or to the end of a page. */
  public EventBatch after(EventPosition position, EventNeeds needs) throws SQLException {
    List<Row> rows =
        database.inAutocommit(connection ->
            Statements.list(connection, READ, p -> bind(p, position, needs), EventLog::row));
    EventPosition read = rows.getFirst().position();
    return read.isOfServerOf(position) && read.next() >= position.next()
        ? batch(rows, read)
        : new EventBatch(List.of(), read, false, true);
  }

  private static EventBatch batch(List<Row> rows, EventPosition read) {
    List<Event> events = new ArrayList<>();
    for (Row row : rows) {
      if (row.event() != null) {
        events.add(row.event());
      }
    }
    if (rows.size() < PAGE) {
      return new EventBatch(events, read, false, false);
    }
    // The last transaction of a full page may have more rows.
    long last = rows.getLast().transaction();
    if (rows.getFirst().transaction() == last) {
      return new EventBatch(events, read.before(last + 1), true, true);
    }
    events.removeIf(event -> event.transaction() == last);
    return new EventBatch(events, read.before(last), true, false);
  }

  private static void bind(Parameters parameters, EventPosition position, EventNeeds needs)
      throws SQLException {
    parameters
        .texts(position.running().stream().map(String::valueOf).toList())
        .integer(PAGE)
        .text(Long.toString(position.next()))
        .integer(PAGE)
        .integer(PAGE)
        .flag(needs.labels())
        .flag(needs.errors());
  }

  /** A row, of which {@code event} is absent where there is none, or its job is gone. */
  private record Row(EventPosition position, long transaction, @Nullable Event event) {}

  private static Row row(ResultSet row) throws SQLException {
    String transaction = row.getString("xact");
    return transaction == null
        ? new Row(position(row), 0, null)
        : new Row(position(row), Long.parseLong(transaction), EventRows.read(row));
  }

  private static EventPosition position(ResultSet row) throws SQLException {
    return EventPosition.of(
        Rows.instant(row, "server"), Rows.instant(row, "now"), row.getString("snapshot"));
  }
}
