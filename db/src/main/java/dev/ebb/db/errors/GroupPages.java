package dev.ebb.db.errors;

import dev.ebb.db.errors.ErrorGroupPage.Position;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes pages of rows and of what their largest groups are. */
final class GroupPages {
  private final Connection connection;
  private final GroupQuery query;
  private final GroupRows.Bounds bounds;

  GroupPages(Connection connection, GroupQuery query, GroupRows.Bounds bounds) {
    this.connection = connection;
    this.query = query;
    this.bounds = bounds;
  }

  /** The page; where there are too many dead letters to count, its sizes are estimates. */
  ErrorGroupPage page(@Nullable Position after) throws SQLException {
    GroupRows.Look look = GroupRows.look(connection, after);
    if (after == null || !after.estimated()) {
      // Later pages have room for what was grouped since.
      int most = after == null ? bounds.counted() : 2 * bounds.counted();
      GroupRows.Found found = GroupRows.counted(connection, query, look, after, most, bounds);
      if (found.counted() <= most) {
        return page(look, found, false);
      }
    }
    return page(look, GroupRows.sampled(connection, query, look, after, bounds), true);
  }

  private ErrorGroupPage page(GroupRows.Look look, GroupRows.Found found, boolean estimated)
      throws SQLException {
    List<GroupRows.Row> rows = found.rows();
    List<UUID> ids = rows.stream().map(GroupRows.Row::largest).toList();
    Map<UUID, ErrorGroupView> groups =
        estimated ? GroupReads.counted(connection, ids) : GroupReads.uncounted(connection, ids);
    return new ErrorGroupPage(
        rows.stream()
            .flatMap(row ->
                Stream.ofNullable(groups.get(row.largest()))
                    .map(largest -> view(row, largest, !estimated)))
            .toList(),
        rows.size() == bounds.rows() ? behind(rows.getLast(), look, estimated) : null,
        found.total(),
        look.ungrouped(),
        estimated,
        GroupOfRow.by(connection, query.row()));
  }

  private ErrorGroupView view(GroupRows.Row row, ErrorGroupView largest, boolean exact) {
    ErrorGroupView.Counts counts =
        exact || row.groups() > 1 ? GroupCounts.counts(row.numbers(), exact) : largest.counts();
    return switch (query.by()) {
      case ERROR_SUBJECT -> largest.with(counts);
      case ERROR, DESTINATION -> row.view(largest, ErrorGroupView.Whose.ANYBODY, counts);
      case SUBJECT -> row.view(largest, largest.whose(), counts);
    };
  }

  private static Position behind(GroupRows.Row last, GroupRows.Look look, boolean estimated) {
    return new Position(last.size(), last.id(), look.asOf(), estimated);
  }
}
