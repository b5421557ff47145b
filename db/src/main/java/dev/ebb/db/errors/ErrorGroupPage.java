package dev.ebb.db.errors;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A page of rows, the largest first.
 *
 * @param next where the next page begins; {@code null} at the end
 * @param total how many rows there are on all pages
 * @param ungrouped how many dead letters have no group yet, counted up to 1,000
 * @param estimated whether the order is by sizes from a sample
 * @param rowBy what the groups of the row that was asked for have in common; {@code null} for no
 *     row
 */
public record ErrorGroupPage(
    List<ErrorGroupView> groups,
    @Nullable Position next,
    long total,
    long ungrouped,
    boolean estimated,
    @Nullable GroupBy rowBy) {
  public ErrorGroupPage {
    groups = List.copyOf(groups);
  }

  /**
   * A place in the list, behind a row. Only what had died when the first page was read has a place,
   * so a row grows, and may move to a page that was read before, only by what is grouped later.
   *
   * @param size of the row
   * @param asOf when the first page was read
   * @param estimated whether the sizes are
   */
  public record Position(long size, UUID row, Instant asOf, boolean estimated) {}
}
