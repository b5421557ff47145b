package dev.ebb.core.health;

import java.util.Locale;

/** How something stands; the later, the worse. */
public enum Verdict {
  OK,
  /** It could not be read, or may not be seen. */
  UNKNOWN,
  WARN,
  BAD;

  /** As answers show it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
