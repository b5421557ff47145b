package dev.ebb.db.errors;

import dev.ebb.core.failure.ErrorPattern;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.ManyNotices;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/** Gives dead letters that have none their group, a batch in a transaction. */
final class Grouping {
  static final int BATCH = 500;

  private static final String LOCK =
      """
      select pg_try_advisory_xact_lock(6644324, 0)
      """;

  private static final String IS_WANTED =
      """
      select
        exists (select from ebb.dead_letter where error_group is null)
        or ? and (
          exists (select from ebb.dead_letter_notice where next_at <= now())
          or ebb.notices_are_due()
        )
      """;

  private static final String UNGROUPED =
      """
      select
        id, queue, kind, failure_reason, failure,
        ebb.subject((select s.subject from ebb.settings s), labels, destination) as subject
      from ebb.dead_letter
      where error_group is null
      order by id desc
      limit ?
      """;

  private static final String KNOWN =
      """
      select id from ebb.error_group where id = any (?)
      """;

  private static final String SUBJECTS =
      """
      select g.queue, g.kind, g.reason, g.pattern, count(*) as subjects
      from ebb.error_group g
      where g.subject is not null
        and exists (select from ebb.dead_letter d where d.error_group = g.id)
        and g.error_id in (
          select ebb.error_id(e.queue, e.kind, e.reason, e.pattern)
          from unnest(?::text[], ?::text[], ?::text[], ?::text[])
            as e (queue, kind, reason, pattern)
        )
      group by g.error_id, g.queue, g.kind, g.reason, g.pattern
      """;

  private static final String THERE =
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
      insert into ebb.error_group (
        id, queue, kind, reason, pattern, subject, other_subjects, first_seen, last_seen)
      select
        g.id, g.queue, g.kind, g.reason, g.pattern, g.subject, g.others::boolean,
        min(d.died_at), max(d.died_at)
      from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
        as g (id, queue, kind, reason, pattern, subject, others)
      join grouped d on d.error_group = g.id
      group by g.id, g.queue, g.kind, g.reason, g.pattern, g.subject, g.others
      order by g.id
      on conflict (id) do update
      set
        first_seen = least(error_group.first_seen, excluded.first_seen),
        last_seen = greatest(error_group.last_seen, excluded.last_seen)
      """;

  /** A group to be, and the dead letter that needs it. */
  private record GroupedLetter(UUID deadLetter, Group group) {}

  private final Connection connection;
  private final GroupBounds bounds;

  Grouping(Connection connection, GroupBounds bounds) {
    this.connection = connection;
    this.bounds = bounds;
  }

  /** Whether a dead letter has no group, or people are to be told of some and may be. */
  static boolean isWanted(Connection connection, boolean tells) throws SQLException {
    return Statements.one(connection, IS_WANTED, p -> p.flag(tells), row -> row.getBoolean(1));
  }

  /** Whether this transaction is the only one that makes or deletes groups. */
  static boolean isAlone(Connection connection) throws SQLException {
    return Statements.one(connection, LOCK, _ -> {}, row -> row.getBoolean(1));
  }

  /**
   * Groups a batch, tells of dead letters, and answers whether there may be more to do.
   *
   * @param tells whether people may be told of them; otherwise they are counted for later
   */
  boolean next(boolean tells) throws SQLException {
    if (!isAlone(connection)) {
      return false;
    }
    List<GroupedLetter> found =
        Statements.list(connection, UNGROUPED, p -> p.integer(BATCH), Grouping::found);
    boolean more = !found.isEmpty() && write(bounded(found)) > 0 && found.size() == BATCH;
    DeadLetterNotices.note(connection, found.stream().map(GroupedLetter::deadLetter).toList());
    return (tells && tell()) || more;
  }

  private boolean tell() throws SQLException {
    boolean more = DeadLetterNotices.tell(connection);
    ManyNotices.tell(connection);
    return more;
  }

  private static GroupedLetter found(ResultSet row) throws SQLException {
    ErrorPattern pattern =
        ErrorPattern.of(row.getString("failure_reason"), row.getString("failure"));
    Group.Cause cause = new Group.Cause(row.getString("queue"), row.getString("kind"), pattern);
    return new GroupedLetter(
        row.getObject("id", UUID.class), Group.of(cause, row.getString("subject")));
  }

  /** The same with no more new groups than there is room for. */
  private List<GroupedLetter> bounded(List<GroupedLetter> found) throws SQLException {
    List<Group> groups = found.stream().map(GroupedLetter::group).distinct().toList();
    Set<UUID> known = known(groups);
    if (groups.stream().allMatch(group -> known.contains(group.id()))) {
      return found;
    }
    List<Group.Cause> causes = groups.stream().map(Group::cause).distinct().toList();
    GroupRoom room = new GroupRoom(bounds, known, subjects(causes), there());
    return found.stream()
        .map(one -> new GroupedLetter(one.deadLetter(), room.place(one.group())))
        .toList();
  }

  /** Which of them are there, and which of those that take what finds no room. */
  private Set<UUID> known(List<Group> groups) throws SQLException {
    List<UUID> ids =
        groups.stream()
            .flatMap(group -> Stream.of(group.id(), group.otherSubjects().id()))
            .distinct()
            .toList();
    return Set.copyOf(
        Statements.list(connection, KNOWN, p -> p.ids(ids), row -> row.getObject(1, UUID.class)));
  }

  private Map<Group.Cause, Long> subjects(List<Group.Cause> causes) throws SQLException {
    Map<Group.Cause, Long> subjects = new HashMap<>();
    Statements.list(
            connection,
            SUBJECTS,
            p ->
                p.columns(causes)
                    .text(Group.Cause::queue)
                    .text(Group.Cause::kind)
                    .text(cause -> cause.pattern().reason())
                    .text(cause -> cause.pattern().text()),
            row -> Map.entry(cause(row), row.getLong("subjects")))
        .forEach(one -> subjects.put(one.getKey(), one.getValue()));
    return subjects;
  }

  private static Group.Cause cause(ResultSet row) throws SQLException {
    return new Group.Cause(
        row.getString("queue"),
        row.getString("kind"),
        new ErrorPattern(row.getString("reason"), row.getString("pattern")));
  }

  private long there() throws SQLException {
    return Statements.one(
        connection, THERE, p -> p.integer(bounds.groups()), row -> row.getLong(1));
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
                .text(group -> group.cause().queue())
                .text(group -> group.cause().kind())
                .text(group -> group.cause().pattern().reason())
                .text(group -> group.cause().pattern().text())
                .text(Group::subject)
                .text(group -> String.valueOf(group.others())));
  }
}
