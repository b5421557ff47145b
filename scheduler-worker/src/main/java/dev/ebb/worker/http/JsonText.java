package dev.ebb.worker.http;

import dev.ebb.core.Text;

/** Text as a record keeps it, and how much room it takes there. */
final class JsonText {
  private JsonText() {}

  /**
   * The text without what PostgreSQL or a terminal cannot hold, and no longer than there is room:
   * control characters other than line breaks and tabs, and lone surrogates, become U+FFFD.
   *
   * @param maxBytes of the text in UTF-8 with JSON's escapes, without its quotes
   */
  static String fit(String text, int maxBytes) {
    StringBuilder clean = new StringBuilder(Math.min(text.length(), maxBytes));
    int bytes = 0;
    for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
      int kept = Text.readable(text.codePointAt(at));
      bytes += bytes(kept);
      if (bytes > maxBytes) {
        break;
      }
      clean.appendCodePoint(kept);
    }
    return clean.toString();
  }

  /** Of a text that {@link #fit} gave, in UTF-8 with JSON's escapes, without its quotes. */
  static int bytes(String text) {
    return text.codePoints().map(JsonText::bytes).sum();
  }

  private static int bytes(int codePoint) {
    if (codePoint < 0x80) {
      return "\n\r\t\"\\/".indexOf(codePoint) >= 0 ? 2 : 1;
    }
    return codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
}
