package dev.ebb.db.errors;

import dev.ebb.core.access.Act;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The groups of dead letters: found behind the settles, shown, acknowledged, forgotten. */
public final class ErrorGroups {
  // The index brings the oldest first, and few of them have dead letters. Subjects come and go, and
  // their groups must not take the room of others for a month.
  private static final String FORGET =
      """
      delete from ebb.error_group g
      where g.id in (
        select o.id
        from ebb.error_group o
        where o.last_seen < now() - interval '1 day'
          and (o.last_seen < now() - interval '30 days'
            or (o.subject is not null
              and o.acknowledged_at is null and o.assignee is null and o.note is null))
          and not exists (select from ebb.dead_letter d where d.error_group = o.id)
        limit 1000)
      """;

  private static final String LOCK_MARK =
      """
      select id, acknowledged_at, acknowledged_by, assignee, note
      from ebb.error_group
      where id = ?
      for update
      """;

  private static final String CHANGE =
      """
      update ebb.error_group g
      set
        acknowledged_at =
          case c.acknowledged when true then now() when false then null else acknowledged_at end,
        acknowledged_by =
          case c.acknowledged when true then ? when false then null else acknowledged_by end,
        assignee = case when ? then ? else assignee end,
        note = case when ? then ? else note end
      from (select ?::boolean as acknowledged) c
      where g.id = ?
      """;

  private final Database database;

  public ErrorGroups(Database database) {
    this.database = database;
  }

  /**
   * Gives a batch of dead letters that have none their group, and tells the destination for notices
   * of them, unless another node is at it; answers whether there may be more.
   */
  public boolean groupNew() throws SQLException {
    return groupNew(true);
  }

  /**
   * The same.
   *
   * @param tells whether it may submit notices; otherwise they wait until it may
   */
  public boolean groupNew(boolean tells) throws SQLException {
    return groupNew(GroupBounds.DEFAULT, tells);
  }

  /** The same with other bounds on the groups. */
  boolean groupNew(GroupBounds bounds) throws SQLException {
    return groupNew(bounds, true);
  }

  private boolean groupNew(GroupBounds bounds, boolean tells) throws SQLException {
    return database.inAutocommit(connection -> Grouping.isWanted(connection, tells))
        && database.inTransaction(connection -> new Grouping(connection, bounds).next(tells));
  }

  /**
   * Deletes groups that have had no dead letter for a month, or for a day if they have a subject
   * and nobody said anything of them.
   */
  public void forget() throws SQLException {
    var _ =
        database.inTransaction(connection ->
            Grouping.isAlone(connection)
                ? Statements.update(connection, FORGET, _ -> {})
                : Integer.valueOf(0));
  }

  /**
   * A page of the groups that have dead letters, the largest first.
   *
   * @param after where it begins; {@code null} for the first page
   */
  public ErrorGroupPage page(GroupQuery query, ErrorGroupPage.@Nullable Position after, int limit)
      throws SQLException {
    return page(query, after, new GroupRows.Bounds(limit, GroupRows.COUNTED));
  }

  /** The same with other bounds. */
  ErrorGroupPage page(
      GroupQuery query, ErrorGroupPage.@Nullable Position after, GroupRows.Bounds bounds)
      throws SQLException {
    return database.inAutocommit(
        connection -> new GroupPages(connection, query, bounds).page(after));
  }

  /** What died in the last hour. */
  public DeadHour lastHour() throws SQLException {
    return lastHour(DeadHour.COUNTED);
  }

  /** The same, of which so many are counted. */
  DeadHour lastHour(int most) throws SQLException {
    return database.inAutocommit(connection -> DeadHour.last(connection, most));
  }

  /** The group, whether it has dead letters or not. */
  public Optional<ErrorGroupView> find(UUID id) throws SQLException {
    return database.inAutocommit(connection -> GroupReads.find(connection, id));
  }

  /**
   * Changes what people say of the group, and answers the group; empty if it is unknown.
   *
   * @param condition gets what they say so far, under the group's lock, and may throw
   */
  public Optional<ErrorGroupView> change(
      UUID id, GroupChange change, Act act, Consumer<ErrorGroupView.Mark> condition)
      throws SQLException {
    return database.inTransaction(connection -> {
      ErrorGroupView.Mark mark =
          Statements.first(connection, LOCK_MARK, p -> p.id(id), GroupReads::mark);
      if (mark == null) {
        return Optional.empty();
      }
      condition.accept(mark);
      write(connection, id, mark, change, act);
      return GroupReads.find(connection, id);
    });
  }

  private static void write(
      Connection connection, UUID id, ErrorGroupView.Mark mark, GroupChange change, Act act)
      throws SQLException {
    Statements.update(
        connection,
        CHANGE,
        p ->
            bind(bind(p.text(act.actor()), change.assignee()), change.note())
                .text(change.acknowledged() == null ? null : String.valueOf(change.acknowledged()))
                .id(id));
    Audit.write(connection, act, "error_group.patch", id.toString(), changes(mark, change));
  }

  private static Changes changes(ErrorGroupView.Mark before, GroupChange change) {
    Changes changes = new Changes();
    if (change.acknowledged() != null) {
      changes.add("acknowledged", before.acknowledged() != null, change.acknowledged());
    }
    if (change.assignee() != null) {
      changes.add("assignee", before.assignee(), change.assignee().text());
    }
    if (change.note() != null) {
      changes.add("note", before.note(), change.note().text());
    }
    return changes;
  }

  private static Parameters bind(Parameters parameters, GroupChange.@Nullable Words words)
      throws SQLException {
    return parameters.flag(words != null).text(words == null ? null : words.text());
  }
}
