package dev.ebb.client;

import java.time.Duration;

/** The rules of what builders are given. */
final class Settings {
  private Settings() {}

  static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  static void requireBetween(Duration length, Duration least, Duration most, String rule) {
    require(length.compareTo(least) >= 0 && length.compareTo(most) <= 0, rule);
  }
}
