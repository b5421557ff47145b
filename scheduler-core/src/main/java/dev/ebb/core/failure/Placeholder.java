package dev.ebb.core.failure;

import java.util.Locale;

/** What stands in a pattern for something that differs from job to job. */
enum Placeholder {
  TEXT,
  URL,
  EMAIL,
  HOST,
  TIME,
  ID,
  NUMBER;

  private final String shown = '<' + name().toLowerCase(Locale.ROOT) + '>';

  String shown() {
    return shown;
  }
}
