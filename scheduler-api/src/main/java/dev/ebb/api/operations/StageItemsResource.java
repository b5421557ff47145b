package dev.ebb.api.operations;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.StageItems;
import dev.ebb.db.operation.OperationItem;
import java.util.List;

/** Shows jobs of a stage of an operation. */
final class StageItemsResource {
  private StageItemsResource() {}

  static StageItems of(List<OperationItem> items) {
    return new StageItems(items.stream().map(StageItemsResource::item).toList());
  }

  private static StageItems.Item item(OperationItem item) {
    return new StageItems.Item(
        item.job().toString(),
        item.queue(),
        item.result(),
        item.reason(),
        item.stage(),
        Answer.shownOrNull(item.actedAt()),
        item.outcome(),
        item.uniqueKey(),
        item.subject());
  }
}
