package dev.ebb.db.errors;

import dev.ebb.core.failure.ErrorPattern;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Gives dead letters that have none their group, a batch in a transaction. */
final class Grouping {
  static final int BATCH = 500;

  /** Beyond this many groups, what is new goes into one for all of its queue and kind. */
  static final int MOST_GROUPS = 10_000;

  /** Of a group for all that found no other. */
  static final ErrorPattern OTHERS = new ErrorPattern("other", "other failures");

  private static final String LOCK =
      """
      select pg_try_advisory_xact_lock(6644324, 0)
      """;

  private static final String SOME_WAIT =
      """
      select exists (select from ebb.dead_letter where error_group is null)
      """;

  private static final String UNGROUPED =
      """
      select id, queue, kind, failure_reason, failure
      from ebb.dead_letter
      where error_group is null
      order by id desc
      limit ?
      """;

  private static final String KNOWN =
      """
      select id from ebb.error_group where id = any (?)
      """;

  private static final String ROOM =
      """
      select count(*) from (select from ebb.error_group limit ?) g
      """;

  // Waits for no row that somebody redrives, purges or erases: it is there next time, or gone.
  private static final String GROUP =
      """
      with free as materialized (
        select d.id, t.error_group
        from unnest(?::uuid[], ?::uuid[]) as t (id, error_group)
        join ebb.dead_letter d on d.id = t.id
        where d.error_group is null
        order by d.id
        for update of d skip locked
      ), grouped as (
        update ebb.dead_letter d
        set error_group = f.error_group
        from free f
        where d.id = f.id
        returning d.error_group, d.died_at
      )
      insert into ebb.error_group (id, queue, kind, reason, pattern, first_seen, last_seen)
      select g.id, g.queue, g.kind, g.reason, g.pattern, min(d.died_at), max(d.died_at)
      from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[])
        as g (id, queue, kind, reason, pattern)
      join grouped d on d.error_group = g.id
      group by g.id, g.queue, g.kind, g.reason, g.pattern
      order by g.id
      on conflict (id) do update
      set
        first_seen = least(error_group.first_seen, excluded.first_seen),
        last_seen = greatest(error_group.last_seen, excluded.last_seen)
      """;

  /** A group to be, and the dead letter that needs it. */
  private record GroupedLetter(UUID deadLetter, Group group) {}

  private record Group(UUID id, String queue, String kind, ErrorPattern pattern) {
    Group(String queue, String kind, ErrorPattern pattern) {
      this(pattern.group(queue, kind), queue, kind, pattern);
    }

    Group others() {
      return new Group(queue, kind, OTHERS);
    }
  }

  private final Connection connection;
  private final int mostGroups;

  Grouping(Connection connection, int mostGroups) {
    this.connection = connection;
    this.mostGroups = mostGroups;
  }

  /** Whether a dead letter has no group. */
  static boolean someWait(Connection connection) throws SQLException {
    return Statements.one(connection, SOME_WAIT, _ -> {}, row -> row.getBoolean(1));
  }

  /** Whether this transaction is the only one that makes or deletes groups. */
  static boolean isAlone(Connection connection) throws SQLException {
    return Statements.one(connection, LOCK, _ -> {}, row -> row.getBoolean(1));
  }

  /** Groups a batch, and answers whether there may be more. */
  boolean next() throws SQLException {
    if (!isAlone(connection)) {
      return false;
    }
    List<GroupedLetter> found =
        Statements.list(connection, UNGROUPED, p -> p.integer(BATCH), Grouping::found);
    return !found.isEmpty() && write(bounded(found)) > 0 && found.size() == BATCH;
  }

  private static GroupedLetter found(ResultSet row) throws SQLException {
    ErrorPattern pattern =
        ErrorPattern.of(row.getString("failure_reason"), row.getString("failure"));
    return new GroupedLetter(
        row.getObject("id", UUID.class),
        new Group(row.getString("queue"), row.getString("kind"), pattern));
  }

  /** The same with no more new groups than there is room for. */
  private List<GroupedLetter> bounded(List<GroupedLetter> found) throws SQLException {
    List<UUID> groups = found.stream().map(one -> one.group().id()).distinct().toList();
    Set<UUID> allowed =
        new HashSet<>(
            Statements.list(
                connection, KNOWN, p -> p.ids(groups), row -> row.getObject(1, UUID.class)));
    if (allowed.size() == groups.size()) {
      return found;
    }
    long room = mostGroups - there();
    List<GroupedLetter> bounded = new ArrayList<>();
    for (GroupedLetter one : found) {
      boolean fits = allowed.contains(one.group().id());
      if (!fits && room > 0) {
        room--;
        fits = allowed.add(one.group().id());
      }
      bounded.add(fits ? one : new GroupedLetter(one.deadLetter(), one.group().others()));
    }
    return bounded;
  }

  private long there() throws SQLException {
    return Statements.one(connection, ROOM, p -> p.integer(mostGroups), row -> row.getLong(1));
  }

  /** Answers how many groups it found a dead letter for that nobody had locked. */
  private int write(List<GroupedLetter> found) throws SQLException {
    TreeMap<UUID, Group> groups = new TreeMap<>();
    found.forEach(one -> groups.put(one.group().id(), one.group()));
    return Statements.update(
        connection,
        GROUP,
        p ->
            p.ids(found.stream().map(GroupedLetter::deadLetter).toList())
                .ids(found.stream().map(one -> one.group().id()).toList())
                .columns(List.copyOf(groups.values()))
                .ids(Group::id)
                .text(Group::queue)
                .text(Group::kind)
                .text(group -> group.pattern().reason())
                .text(group -> group.pattern().text()));
  }
}
