package dev.ebb.client;

import java.nio.charset.StandardCharsets;

/** What PostgreSQL can store of a text. */
final class Text {
  private static final int LONGEST_MESSAGE = 1024;

  private Text() {}

  /** Whether PostgreSQL can store the text. */
  static boolean isStorable(String text) {
    return text.indexOf('\0') < 0
        && new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).equals(text);
  }

  /** As much of a message as is kept, with question marks for what PostgreSQL cannot store. */
  static String storable(String message) {
    StringBuilder storable = new StringBuilder();
    message
        .codePoints()
        .limit(LONGEST_MESSAGE)
        .map(
            c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? '?' : c)
        .forEach(storable::appendCodePoint);
    return storable.toString();
  }
}
