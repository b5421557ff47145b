package dev.ebb.core.failure;

import static java.lang.Character.isLetter;
import static java.lang.Character.isLetterOrDigit;

import org.jspecify.annotations.Nullable;

/** Reads a text from its beginning to its end, and writes its pattern. */
final class PatternText {
  private static final int LONG_ID = 16;
  private static final int LONGEST_WORD = 40;
  private static final int SHORTEST_HEX = 8;
  private static final String OPENING = "\"'`«“‘";
  private static final String CLOSING = "\"'`»”’";

  private final String text;
  private final PatternOutput out = new PatternOutput(ErrorPattern.MAX_LENGTH);

  /** Whether no single quote closes any more: it is searched in vain once. */
  private boolean noneCloses;

  private int at;

  private PatternText(String text) {
    this.text = text;
  }

  static String of(String text) {
    PatternText pattern = new PatternText(text);
    while (pattern.at < text.length() && !pattern.out.isFull()) {
      pattern.next();
    }
    return pattern.out.text();
  }

  private void next() {
    char c = text.charAt(at);
    int quote = OPENING.indexOf(c);
    if (quote >= 0 && (at == 0 || !isLetterOrDigit(text.charAt(at - 1)))) {
      quoted(quote);
    } else if (isLetterOrDigit(c)) {
      word();
    } else {
      out.add(isBlank(c) ? ' ' : c);
      at++;
    }
  }

  private static boolean isBlank(char c) {
    return Character.isWhitespace(c) || Character.isISOControl(c) || c == '\u00A0';
  }

  private void quoted(int quote) {
    boolean single = OPENING.charAt(quote) == '\'';
    int end = single && noneCloses ? -1 : closing(CLOSING.charAt(quote), at + 1);
    if (end >= 0) {
      out.add(Placeholder.TEXT);
      at = end + 1;
    } else if (single) {
      noneCloses = true;
      out.add(text.charAt(at++));
    } else {
      out.add(Placeholder.TEXT);
      at = text.length();
    }
  }

  /** Where the quote closes; an apostrophe inside a word closes nothing. */
  private int closing(char quote, int from) {
    for (int i = text.indexOf(quote, from); i >= 0; i = text.indexOf(quote, i + 1)) {
      boolean inWord = i + 1 < text.length() && isLetterOrDigit(text.charAt(i + 1));
      if (quote != '\'' || !inWord) {
        return i;
      }
    }
    return -1;
  }

  private void word() {
    int end = endOfWord();
    if (text.startsWith("://", end)) {
      at = endOfUrl(end);
      out.add(Placeholder.URL);
      return;
    }
    String word = text.substring(at, end);
    at = end;
    Placeholder whole = WordShape.of(word);
    if (whole == null) {
      parts(word);
    } else {
      out.add(whole);
    }
  }

  /** A word ends with a letter or a digit: signs belong to it if one follows. */
  private int endOfWord() {
    int end = at + 1;
    for (int i = end; i < text.length() && isInWord(text.charAt(i)); i++) {
      if (isLetterOrDigit(text.charAt(i))) {
        end = i + 1;
      }
    }
    return end;
  }

  private static boolean isInWord(char c) {
    return isLetterOrDigit(c) || ".:-_@+".indexOf(c) >= 0;
  }

  private int endOfUrl(int from) {
    int end = from;
    while (end < text.length() && isInUrl(text.charAt(end))) {
      end++;
    }
    while (".,;:!?".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return end;
  }

  private static boolean isInUrl(char c) {
    return !isBlank(c) && "\"'`<>()[]{}«»“”".indexOf(c) < 0;
  }

  /** The letters and digits between the signs of a word. */
  private void parts(String word) {
    int from = 0;
    while (from < word.length() && !out.isFull()) {
      if (!isLetterOrDigit(word.charAt(from))) {
        out.add(word.charAt(from++));
        continue;
      }
      int end = from;
      while (end < word.length() && isLetterOrDigit(word.charAt(end))) {
        end++;
      }
      part(word.substring(from, end));
      from = end;
    }
  }

  private void part(String part) {
    if (isId(part)) {
      out.add(Placeholder.ID);
      return;
    }
    for (int i = 0; i < part.length() && !out.isFull(); i++) {
      if (!isDigit(part.charAt(i))) {
        out.add(part.charAt(i));
      } else if (i == 0 || !isDigit(part.charAt(i - 1))) {
        out.add(Placeholder.NUMBER);
      }
    }
  }

  private static boolean isDigit(char c) {
    return Character.isDigit(c);
  }

  private static boolean isId(String part) {
    Runs runs = Runs.of(part);
    if (runs.digits() == 0) {
      return part.length() > LONGEST_WORD;
    }
    boolean mixed = runs.letters() > 0;
    return mixed
        && (runs.digits() > 1
            || part.length() >= LONG_ID
            || part.startsWith("0x")
            || (part.length() >= SHORTEST_HEX && isHex(part)));
  }

  /** How many runs of letters and of digits a part has. */
  private record Runs(int letters, int digits) {
    static Runs of(String part) {
      int letters = 0;
      int digits = 0;
      @Nullable Boolean wasLetter = null;
      for (int i = 0; i < part.length(); i++) {
        boolean letter = isLetter(part.charAt(i));
        if (wasLetter == null || wasLetter != letter) {
          letters += letter ? 1 : 0;
          digits += letter ? 0 : 1;
        }
        wasLetter = letter;
      }
      return new Runs(letters, digits);
    }
  }

  private static boolean isHex(String part) {
    return part.chars().allMatch(c -> Character.digit(c, 16) >= 0);
  }
}
