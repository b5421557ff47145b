package dev.ebb.db.errors;

import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.errors.ErrorGroupPage.Position;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a list of groups, the largest first.
 *
 * <pre>
 *   counted   how many dead letters of each group died in each window: of all, from the entries
 *             of an index; where those are too many, of a sample of blocks
 *   member    the groups that are asked for, and the row of each
 *   grouped   the rows
 * </pre>
 */
final class GroupRows {
  /** Up to this many dead letters are counted one by one. */
  static final int COUNTED = 100_000;

  private static final String LOOK =
      """
      select
        coalesce(?::timestamptz, now()) as as_of,
        (
          select count(*)
          from (select from ebb.dead_letter where error_group is null limit 1000) u
        ) as ungrouped,
        pg_relation_size('ebb.dead_letter') / current_setting('block_size')::bigint as blocks
      """;

  private static final String ALL =
      """
      with counted as materialized (
        select d.error_group, %s
        from (
          select error_group, died_at
          from ebb.dead_letter
          where error_group is not null and died_at <= ?
          limit ?
        ) d
        join ebb.error_group g on g.id = d.error_group
        group by d.error_group
      )
      """
          .formatted(GroupCounts.COLUMNS);

  // A group that is in no sample is a small one.
  private static final String SAMPLE =
      """
      with sampled as materialized (
        select d.error_group, %s
        from ebb.dead_letter d tablesample system (?::real) repeatable (?)
        join ebb.error_group g on g.id = d.error_group
        where d.died_at <= ?
        group by d.error_group
      ), counted as materialized (
        select
          s.error_group,
          s.n0 * f.n as n0, s.n1 * f.n as n1, s.n2 * f.n as n2, s.n3 * f.n as n3,
          s.n4 * f.n as n4, s.n5 * f.n as n5, s.n6 * f.n as n6
        from sampled s
        cross join (select ?::bigint as n) f
        union all
        select g.id, 0, 0, 0, 0, 0, 1, 0
        from ebb.error_group g
        where not exists (select from sampled s where s.error_group = g.id)
          and exists (
            select from ebb.dead_letter d where d.error_group = g.id and d.died_at <= ?
          )
      )
      """
          .formatted(GroupCounts.COLUMNS);

  private static final String ROWS =
      """
      , member as materialized (
        select
          case a.by
            when 'error' then g.error_id
            when 'subject' then g.subject_id
            when 'destination' then g.queue_id
            else g.id
          end as row_id,
          g.id, g.first_seen, g.last_seen, c.*
        from counted c
        join ebb.error_group g on g.id = c.error_group
        cross join (select ?::text as by) a
        where (
            a.by <> 'destination'
            or g.queue in (select q.name from ebb.queue q where q.destination is not null)
          )
          and (?::text is null or g.queue = ?)
          and (?::text is null or g.kind = ?)
          and (?::text is null or g.subject = ?)
          and (?::uuid is null or ? in (g.id, g.error_id, g.subject_id, g.queue_id))
      ), grouped as materialized (
        select
          m.row_id, count(*)::integer as groups,
          (array_agg(m.id order by m.n5 desc, m.id desc))[1] as largest,
          min(m.first_seen) as first_seen, max(m.last_seen) as last_seen,
          sum(m.n0)::bigint as n0, sum(m.n1)::bigint as n1, sum(m.n2)::bigint as n2,
          sum(m.n3)::bigint as n3, sum(m.n4)::bigint as n4, sum(m.n5)::bigint as n5,
          sum(m.n6)::bigint as n6
        from member m
        group by m.row_id
      )
      select t.*, r.*
      from (
        select
          (select sum(n5)::bigint from counted) as counted,
          (select count(*) from grouped) as total
      ) t
      left join (
        select *
        from grouped
        where (n5, row_id) < (?, ?)
        order by n5 desc, row_id desc
        limit ?
      ) r on true
      order by r.n5 desc, r.row_id desc
      """;

  private static final Position FIRST =
      new Position(Long.MAX_VALUE, new UUID(-1, -1), Instant.EPOCH, false);

  /**
   * How much is read.
   *
   * @param rows on a page
   * @param counted how many dead letters are counted one by one for the first page
   */
  record Bounds(int rows, int counted) {}

  /**
   * What pages are read from.
   *
   * @param asOf when the first page was read
   * @param blocks of the dead letters' table
   */
  record Look(Instant asOf, long ungrouped, long blocks) {}

  /**
   * A row.
   *
   * @param groups how many it holds
   * @param largest of them
   * @param numbers of its dead letters, as {@link GroupCounts#COLUMNS} has them
   */
  record Row(
      UUID id, int groups, UUID largest, Instant firstSeen, Instant lastSeen, List<Long> numbers) {
    long size() {
      return numbers.get(GroupCounts.ALL);
    }

    /** The row as people see it, who get to know its largest group. */
    ErrorGroupView view(
        ErrorGroupView largest, ErrorGroupView.Whose whose, ErrorGroupView.Counts counts) {
      return new ErrorGroupView(
          id,
          largest.queue(),
          largest.kind(),
          largest.pattern(),
          whose,
          groups,
          firstSeen,
          lastSeen,
          counts,
          largest.samples(),
          new ErrorGroupView.Mark(id, null, null, null));
    }
  }

  /**
   * The rows of a page.
   *
   * @param total how many rows there are on all pages
   * @param counted how many dead letters were counted, or estimated to be there
   */
  record Found(List<Row> rows, long total, long counted) {}

  /** A row of the result, of which the group's part is absent where there is none. */
  private record Line(@Nullable Row row, long total, long counted) {}

  private GroupRows() {}

  static Look look(Connection connection, @Nullable Position after) throws SQLException {
    return Statements.one(
        connection,
        LOOK,
        p -> p.time(after == null ? null : after.asOf()),
        row ->
            new Look(Rows.instant(row, "as_of"), row.getLong("ungrouped"), row.getLong("blocks")));
  }

  /** Of all dead letters, but of no more than {@code most} and one. */
  static Found counted(
      Connection connection,
      GroupQuery query,
      Look look,
      @Nullable Position after,
      int most,
      Bounds bounds)
      throws SQLException {
    return found(
        connection,
        ALL + ROWS,
        p -> {
          p.time(look.asOf()).integer(most + 1);
          bind(p, query, after, bounds);
        });
  }

  /** By a sample of them. */
  static Found sampled(
      Connection connection, GroupQuery query, Look look, @Nullable Position after, Bounds bounds)
      throws SQLException {
    return found(
        connection,
        SAMPLE + ROWS,
        p -> {
          sample(p, look);
          bind(p, query, after, bounds);
        });
  }

  private static Found found(Connection connection, String sql, Statements.Binding binding)
      throws SQLException {
    List<Line> lines = Statements.list(connection, sql, binding, GroupRows::line);
    return new Found(
        lines.stream().flatMap(line -> Stream.ofNullable(line.row())).toList(),
        lines.getFirst().total(),
        lines.getFirst().counted());
  }

  /** The same blocks for all pages: the share changes only when the table has doubled. */
  private static void sample(Parameters parameters, Look look) throws SQLException {
    long share = Long.highestOneBit(Math.max(1, look.blocks() / GroupCounts.SAMPLED_BLOCKS));
    parameters
        .real(100.0 / share)
        .real((double) (look.asOf().toEpochMilli() % Integer.MAX_VALUE))
        .time(look.asOf())
        .bigint(share)
        .time(look.asOf());
  }

  private static void bind(
      Parameters parameters, GroupQuery query, @Nullable Position after, Bounds bounds)
      throws SQLException {
    Position from = after == null ? FIRST : after;
    parameters.text(query.by().word());
    parameters.text(query.queue()).text(query.queue()).text(query.kind()).text(query.kind());
    parameters.text(query.subject()).text(query.subject());
    parameters.idOrNull(query.row()).idOrNull(query.row());
    parameters.bigint(from.size()).id(from.row()).integer(bounds.rows());
  }

  private static Line line(ResultSet row) throws SQLException {
    UUID id = row.getObject("row_id", UUID.class);
    return new Line(id == null ? null : row(id, row), row.getLong("total"), row.getLong("counted"));
  }

  private static Row row(UUID id, ResultSet row) throws SQLException {
    return new Row(
        id,
        row.getInt("groups"),
        row.getObject("largest", UUID.class),
        Rows.instant(row, "first_seen"),
        Rows.instant(row, "last_seen"),
        GroupCounts.read(row));
  }
}
