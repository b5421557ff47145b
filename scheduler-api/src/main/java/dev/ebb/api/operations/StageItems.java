package dev.ebb.api.operations;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.db.operation.OperationItem;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Jobs of a stage of an operation, as answers show them. */
record StageItems(List<Item> items) {

  /** What became of a job, as the report says. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Item(
      UUID job,
      String queue,
      @Nullable String result,
      @Nullable String reason,
      @Nullable Integer stage,
      @Nullable Instant actedAt,
      @Nullable String outcome) {
    static Item of(OperationItem item) {
      return new Item(
          item.job(),
          item.queue(),
          item.result(),
          item.reason(),
          item.stage(),
          Answer.shownOrNull(item.actedAt()),
          item.outcome());
    }
  }

  static StageItems of(List<OperationItem> items) {
    return new StageItems(items.stream().map(Item::of).toList());
  }
}
