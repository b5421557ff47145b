package dev.ebb.app.doctor;

import java.util.Locale;

/**
 * The result of one check.
 *
 * @param mend how to fix it; empty where nothing is wrong
 */
record Finding(Level level, String what, String mend) {
  /** How bad it is. */
  enum Level {
    OK,
    WARN,
    FAIL
  }

  static Finding ok(String what) {
    return new Finding(Level.OK, what, "");
  }

  static Finding warn(String what, String mend) {
    return new Finding(Level.WARN, what, mend);
  }

  static Finding fail(String what, String mend) {
    return new Finding(Level.FAIL, what, mend);
  }

  /** OK where it holds, otherwise this finding. */
  Finding unless(boolean holds, String fine) {
    return holds ? ok(fine) : this;
  }

  String line() {
    String word = level.name().toLowerCase(Locale.ROOT);
    return "%-5s %s%s".formatted(word, what, mend.isEmpty() ? "" : ": " + mend);
  }
}
