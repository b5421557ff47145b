package dev.ebb.api.http;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lines of CSV (RFC 4180). */
public final class Csv {
  private Csv() {}

  /** The values as a line with its end; an empty cell for null. */
  public static String line(@Nullable Object... values) {
    return Arrays.stream(values)
        .map(value -> value == null ? "" : cell(value.toString()))
        .collect(Collectors.joining(",", "", "\r\n"));
  }

  /** A cell that a spreadsheet does not take for a formula. */
  static String cell(String text) {
    boolean isFormula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
    String plain = isFormula ? "'" + text : text;
    return plain.matches("(?s).*[\",\r\n].*") ? '"' + plain.replace("\"", "\"\"") + '"' : plain;
  }
}
