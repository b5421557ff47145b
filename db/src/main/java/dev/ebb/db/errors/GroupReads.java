package dev.ebb.db.errors;

import dev.ebb.core.failure.ErrorPattern;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads groups, with the counts of their dead letters. */
final class GroupReads {
  /** The groups that somebody looks at. */
  private static final String NUMBERED =
      """
      , numbered as (
        select p.*, c.*, array(
          select d.id
          from ebb.dead_letter d
          where d.error_group = p.id
          order by d.died_at desc, d.id desc
          limit 3
        ) as samples
        from picked p
        cross join lateral (
          select %1$s
          from (select p.acknowledged_at) g
          cross join (
            select n.died_at
            from ebb.dead_letter n
            where n.error_group = p.id
            order by n.died_at desc, n.id desc
            limit ?
          ) d
        ) c
      )
      select n.*
      from numbered n
      order by n.last_seen desc, n.id desc
      """
          .formatted(GroupCounts.COLUMNS);

  private static final String SOME =
      """
      with picked as materialized (
        select * from ebb.error_group where id = any (?)
      )
      """
          + NUMBERED;

  /** A group, with the numbers of its newest dead letters. */
  private record Numbered(ErrorGroupView group, List<Long> numbers) {}

  private GroupReads() {}

  static Optional<ErrorGroupView> find(Connection connection, UUID id) throws SQLException {
    return estimated(connection, some(connection, List.of(id), GroupCounts.EXACT + 1)).stream()
        .findFirst();
  }

  /** Those groups by id, counted. */
  static Map<UUID, ErrorGroupView> counted(Connection connection, List<UUID> ids)
      throws SQLException {
    return byId(estimated(connection, some(connection, ids, GroupCounts.EXACT + 1)).stream());
  }

  /** The same without counts. */
  static Map<UUID, ErrorGroupView> uncounted(Connection connection, List<UUID> ids)
      throws SQLException {
    return byId(some(connection, ids, 0).stream().map(Numbered::group));
  }

  private static Map<UUID, ErrorGroupView> byId(Stream<ErrorGroupView> groups) {
    return groups.collect(Collectors.toMap(ErrorGroupView::id, Function.identity()));
  }

  /**
   * Those of the groups that are there.
   *
   * @param most how many dead letters of each are counted
   */
  private static List<Numbered> some(Connection connection, List<UUID> ids, int most)
      throws SQLException {
    return Statements.list(connection, SOME, p -> p.ids(ids).integer(most), GroupReads::numbered);
  }

  /** With estimates for those that are too large to be counted. */
  private static List<ErrorGroupView> estimated(Connection connection, List<Numbered> numbered)
      throws SQLException {
    List<UUID> large =
        numbered.stream()
            .filter(one -> GroupCounts.isCut(one.numbers()))
            .map(one -> one.group().id())
            .toList();
    GroupCounts counts = GroupCounts.sampled(connection, large);
    return numbered.stream()
        .map(one -> one.group().with(counts.of(one.group().id(), one.numbers())))
        .toList();
  }

  private static Numbered numbered(ResultSet row) throws SQLException {
    List<Long> numbers = GroupCounts.read(row);
    ErrorGroupView group =
        new ErrorGroupView(
            row.getObject("id", UUID.class),
            row.getString("queue"),
            row.getString("kind"),
            new ErrorPattern(row.getString("reason"), row.getString("pattern")),
            new ErrorGroupView.Whose(row.getString("subject"), row.getBoolean("other_subjects")),
            1,
            Rows.instant(row, "first_seen"),
            Rows.instant(row, "last_seen"),
            GroupCounts.counts(numbers, true),
            Rows.ids(row, "samples"),
            mark(row));
    return new Numbered(group, numbers);
  }

  /** What people said of the group in the row. */
  static ErrorGroupView.Mark mark(ResultSet row) throws SQLException {
    Instant at = Rows.instantOrNull(row, "acknowledged_at");
    return new ErrorGroupView.Mark(
        row.getObject("id", UUID.class),
        at == null
            ? null
            : new ErrorGroupView.Acknowledgement(at, row.getString("acknowledged_by")),
        row.getString("assignee"),
        row.getString("note"));
  }
}
