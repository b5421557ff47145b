package dev.ebb.app.doctor;

import java.util.Locale;
import java.util.Set;

/**
 * The result of one check.
 *
 * @param mend how to fix it; empty where nothing is wrong
 */
record Finding(Level level, String what, String mend) {
  /** How bad it is. */
  enum Level {
    OK,
    /** It could not be seen. */
    UNKNOWN,
    WARN,
    FAIL
  }

  /** Without these Ebb does not work, or what it acknowledged may be lost. */
  private static final Set<String> REQUIRED = Set.of("takes_writes", "fsync", "synchronous_commit");

  /** What the checkup of the database says, which pages show as well. */
  static Finding of(dev.ebb.core.health.Finding found) {
    String what = found.summary().replaceFirst("\\.$", "");
    String commands = String.join(" ", found.commands());
    String mend = commands.isEmpty() ? found.advice() : found.advice() + " " + commands;
    Level level =
        switch (found.verdict()) {
          case OK -> Level.OK;
          case UNKNOWN -> Level.UNKNOWN;
          case WARN -> Level.WARN;
          case BAD -> REQUIRED.contains(found.code()) ? Level.FAIL : Level.WARN;
        };
    return new Finding(level, what, mend);
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
    String word = level == Level.UNKNOWN ? "?" : level.name().toLowerCase(Locale.ROOT);
    return "%-5s %s%s".formatted(word, what, mend.isEmpty() ? "" : ": " + mend);
  }
}
