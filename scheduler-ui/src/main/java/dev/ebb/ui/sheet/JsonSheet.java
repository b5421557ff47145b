package dev.ebb.ui.sheet;

import dev.ebb.ui.json.Exact;
import dev.ebb.ui.json.Json;
import org.jspecify.annotations.Nullable;

/** Rows as JSON, each as the API answers it, and whether they are all. */
public record JsonSheet() implements Sheet {
  @Override
  public String type() {
    return "application/json";
  }

  @Override
  public String begin() {
    return "{\"items\": [";
  }

  @Override
  public String row(Exact item, boolean first) {
    return (first ? "\n" : ",\n") + item.text();
  }

  @Override
  public String end(long rows, @Nullable String next) {
    return next == null
        ? "\n], \"complete\": true}\n"
        : "\n], \"complete\": false, \"nextCursor\": " + Json.pretty(next) + "}\n";
  }
}
