package dev.ebb.core.schedule;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Text;

/** Words a rule that a cron expression breaks. */
final class CronError {
  static final String FIELD = "cron";

  private static final int SHOWN = 40;

  private CronError() {}

  /** A part of a field that breaks its rule. */
  static InvalidInput of(CronField field, String part, String rule) {
    String read = part.isEmpty() ? "nothing between commas" : readable(part);
    return new InvalidInput(FIELD, "has " + read + " as " + field.label() + "; " + rule);
  }

  /** What was read, short and without control characters. */
  static String readable(String text) {
    String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    StringBuilder readable = new StringBuilder();
    shown.codePoints().map(Text::printable).forEach(readable::appendCodePoint);
    return readable.toString();
  }
}
