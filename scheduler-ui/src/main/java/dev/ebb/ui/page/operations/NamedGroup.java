package dev.ebb.ui.page.operations;

import dev.ebb.api.inside.Reply;
import dev.ebb.contract.ErrorGroup;
import dev.ebb.contract.ErrorGroupList;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.words.GroupWords;
import dev.ebb.ui.words.Url;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * The group of dead letters that a search names by its id, or the row of several groups.
 *
 * @param name whose dead letters they are, and what failed
 * @param only what else the search wants of them; {@code null} for all of the group
 */
public record NamedGroup(String id, String name, @Nullable String only) {
  private static final String GROUPS = "/v1/dead-letters/groups";

  /** {@code null} if the search names none, or one that is there no more. */
  static @Nullable NamedGroup read(Page page, @Nullable String q) {
    String id = Bulk.group(q);
    if (q == null || id == null) {
      return null;
    }
    String name = name(page, id);
    return name == null ? null : new NamedGroup(id, name, Bulk.besides(q));
  }

  private static @Nullable String name(Page page, String id) {
    Reply reply = page.ask(GROUPS + "/" + id);
    return reply.isRefused(HttpStatus.NOT_FOUND.value())
        ? name(page.get(ErrorGroupList.class, Url.of(GROUPS, "row", id)))
        : GroupWords.name(Page.read(reply, ErrorGroup.class));
  }

  private static @Nullable String name(ErrorGroupList row) {
    return row.items().isEmpty() ? null : GroupWords.name(row);
  }
}
