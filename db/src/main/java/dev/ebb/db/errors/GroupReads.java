package dev.ebb.db.errors;

import dev.ebb.core.failure.ErrorPattern;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads groups, with the counts of their dead letters. */
final class GroupReads {
  /** How many groups a page looks at, at most: its cost is bounded, not its yield. */
  static final int SCAN = 1_000;

  private static final Instant END = Instant.parse("9999-12-31T23:59:59Z");

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
      """
          .formatted(GroupCounts.COLUMNS);

  private static final String PAGE =
      """
      with scanned as materialized (
        select g.*
        from ebb.error_group g
        where (g.last_seen, g.id) < (?, ?)
        order by g.last_seen desc, g.id desc
        limit ?
      ), picked as materialized (
        select g.*
        from scanned g
        where (?::text is null or g.queue = ?)
          and (?::text is null or g.kind = ?)
          and exists (select from ebb.dead_letter d where d.error_group = g.id)
        order by g.last_seen desc, g.id desc
        limit ?
      )
      """
          + NUMBERED
          + """
          , summary as (
            select
              (select count(*) from scanned) as scanned, o.last_seen as oldest, o.id as oldest_id,
              (
                select count(*)
                from (select from ebb.dead_letter where error_group is null limit 1000) u
              ) as ungrouped
            from (select 1) one
            left join (
              select last_seen, id from scanned order by last_seen, id limit 1
            ) o on true
          )
          select s.*, n.*
          from summary s
          left join numbered n on true
          order by n.last_seen desc, n.id desc
          """;

  private static final String FIND =
      "with picked as materialized (select * from ebb.error_group where id = ?)\n"
          + NUMBERED
          + "select * from numbered\n";

  /** A group, with the numbers of its newest dead letters. */
  private record Numbered(ErrorGroupView group, List<Long> numbers) {}

  /** A row of a page, of which the group is absent where there is none. */
  private record Row(
      @Nullable Numbered group,
      long scanned,
      ErrorGroupPage.@Nullable Position oldest,
      long ungrouped) {}

  private GroupReads() {}

  static ErrorGroupPage page(
      Connection connection,
      @Nullable String queue,
      @Nullable String kind,
      ErrorGroupPage.@Nullable Position after,
      int limit)
      throws SQLException {
    ErrorGroupPage.Position from =
        after == null ? new ErrorGroupPage.Position(END, new UUID(-1, -1)) : after;
    List<Row> rows =
        Statements.list(
            connection,
            PAGE,
            p ->
                p.time(from.lastSeen())
                    .id(from.id())
                    .integer(SCAN)
                    .text(queue)
                    .text(queue)
                    .text(kind)
                    .text(kind)
                    .integer(limit)
                    .integer(GroupCounts.EXACT + 1),
            GroupReads::row);
    return page(connection, rows, limit);
  }

  private static ErrorGroupPage page(Connection connection, List<Row> rows, int limit)
      throws SQLException {
    List<Numbered> numbered = new ArrayList<>();
    for (Row row : rows) {
      if (row.group() != null) {
        numbered.add(row.group());
      }
    }
    List<ErrorGroupView> groups = counted(connection, numbered);
    Row any = rows.getFirst();
    ErrorGroupPage.Position next = any.scanned() == SCAN ? any.oldest() : null;
    if (groups.size() == limit) {
      ErrorGroupView last = groups.getLast();
      next = new ErrorGroupPage.Position(last.lastSeen(), last.id());
    }
    return new ErrorGroupPage(groups, next, any.ungrouped());
  }

  static Optional<ErrorGroupView> find(Connection connection, UUID id) throws SQLException {
    List<Numbered> found =
        Statements.list(
            connection, FIND, p -> p.id(id).integer(GroupCounts.EXACT + 1), GroupReads::numbered);
    return counted(connection, found).stream().findFirst();
  }

  /** With estimates for those that are too large to be counted. */
  private static List<ErrorGroupView> counted(Connection connection, List<Numbered> numbered)
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

  private static Row row(ResultSet row) throws SQLException {
    Instant oldest = Rows.instantOrNull(row, "oldest");
    UUID oldestId = row.getObject("oldest_id", UUID.class);
    return new Row(
        row.getObject("id") == null ? null : numbered(row),
        row.getLong("scanned"),
        oldest == null || oldestId == null ? null : new ErrorGroupPage.Position(oldest, oldestId),
        row.getLong("ungrouped"));
  }

  private static Numbered numbered(ResultSet row) throws SQLException {
    List<Long> numbers = GroupCounts.read(row);
    ErrorGroupView group =
        new ErrorGroupView(
            row.getObject("id", UUID.class),
            row.getString("queue"),
            row.getString("kind"),
            new ErrorPattern(row.getString("reason"), row.getString("pattern")),
            Rows.instant(row, "first_seen"),
            Rows.instant(row, "last_seen"),
            new ErrorGroupView.Counts(numbers.subList(0, numbers.size() - 1), 0, true),
            List.of((UUID[]) row.getArray("samples").getArray()),
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
