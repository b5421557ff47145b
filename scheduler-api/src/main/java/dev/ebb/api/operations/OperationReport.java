package dev.ebb.api.operations;

import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Csv;
import dev.ebb.db.operation.OperationItem;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** The report of an operation as CSV: a line for each of its jobs. */
final class OperationReport {
  static final String HEAD = "job,queue,result,reason,stage,actedAt,outcome,uniqueKey,subject\r\n";

  private OperationReport() {}

  static String lines(List<OperationItem> items) {
    return items.stream().map(OperationReport::line).collect(Collectors.joining());
  }

  private static String line(OperationItem item) {
    Instant actedAt = Answer.shownOrNull(item.actedAt());
    return Csv.line(
        item.job(),
        item.queue(),
        item.result() == null ? "waiting" : item.result(),
        item.reason(),
        item.stage(),
        actedAt,
        item.outcome(),
        item.uniqueKey(),
        item.subject());
  }
}
