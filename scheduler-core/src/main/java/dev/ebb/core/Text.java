package dev.ebb.core;

import java.nio.charset.StandardCharsets;

/** Which text can be stored, and which characters can be shown to people. */
public final class Text {
  private static final int REPLACEMENT = 0xFFFD;

  private Text() {}

  /**
   * Whether PostgreSQL can store the text: it has no NUL, and no lone surrogate, which cannot be
   * encoded.
   */
  public static boolean isStorable(String text) {
    // Encoding and decoding it is faster than a check of each character.
    return text.indexOf('\0') < 0
        && new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).equals(text);
  }

  /** Whether the code point of a string is half of a pair whose other half is missing. */
  public static boolean isLoneSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  /** The code point, or U+FFFD for what no terminal should get: line breaks and tabs stay. */
  public static int readable(int codePoint) {
    return "\n\r\t".indexOf(codePoint) >= 0 ? codePoint : printable(codePoint);
  }

  /** The code point, or U+FFFD for a control character or a lone surrogate. */
  public static int printable(int codePoint) {
    return Character.isISOControl(codePoint) || isLoneSurrogate(codePoint)
        ? REPLACEMENT
        : codePoint;
  }
}
