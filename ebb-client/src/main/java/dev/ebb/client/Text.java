package dev.ebb.client;

import java.nio.charset.StandardCharsets;

/** What PostgreSQL can store of a text. */
final class Text {
  private Text() {}

  /** Whether PostgreSQL can store the text. */
  static boolean isStorable(String text) {
    return text.indexOf('\0') < 0
        && new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).equals(text);
  }
}
