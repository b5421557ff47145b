package dev.ebb.db.errors;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A page of groups. It may be short, even empty, before the end.
 *
 * @param next where the next page begins; {@code null} at the end
 * @param ungrouped how many dead letters have no group yet, counted up to 1,000
 */
public record ErrorGroupPage(List<ErrorGroupView> groups, @Nullable Position next, long ungrouped) {
  public ErrorGroupPage {
    groups = List.copyOf(groups);
  }

  /** A place in the list, behind the group with this id that was last seen then. */
  public record Position(Instant lastSeen, UUID id) {}
}
