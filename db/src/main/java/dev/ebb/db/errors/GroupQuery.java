package dev.ebb.db.errors;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A list of groups that is to be read.
 *
 * @param by what a row holds
 * @param queue of the groups; {@code null} for any
 * @param kind of the groups; {@code null} for any
 * @param subject of the groups; {@code null} for any or none
 * @param row of a list by other things, whose groups they are; {@code null} for any
 */
public record GroupQuery(
    GroupBy by,
    @Nullable String queue,
    @Nullable String kind,
    @Nullable String subject,
    @Nullable UUID row) {
  /** Every group. */
  public static final GroupQuery ALL =
      new GroupQuery(GroupBy.ERROR_SUBJECT, null, null, null, null);
}
