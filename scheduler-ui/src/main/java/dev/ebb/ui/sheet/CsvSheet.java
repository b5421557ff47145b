package dev.ebb.ui.sheet;

import dev.ebb.api.http.Csv;
import dev.ebb.ui.json.Exact;
import dev.ebb.ui.json.Json;
import dev.ebb.ui.words.Words;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Rows as CSV: a line of names, a line for each row, and one that says so if rows are missing.
 *
 * @param columns the fields of a row; a dot leads into one
 */
public record CsvSheet(List<String> columns) implements Sheet {
  @Override
  public String type() {
    return "text/csv;charset=UTF-8;header=present";
  }

  @Override
  public String begin() {
    return Csv.line(columns.toArray());
  }

  @Override
  public String row(Exact item, boolean first) {
    JsonNode tree = Json.parsed(item.text());
    return Csv.line(columns.stream().map(column -> cell(tree, column)).toArray());
  }

  private static String cell(JsonNode tree, String column) {
    JsonNode value = tree.at("/" + column.replace('.', '/'));
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    return value.isValueNode() ? value.asString() : value.toString();
  }

  @Override
  public String end(long rows, @Nullable String next) {
    if (next == null) {
      return "";
    }
    @Nullable Object[] cells = new Object[columns.size()];
    cells[0] = "Cut after " + Words.number(rows) + " rows: there may be more";
    return Csv.line(cells);
  }
}
