package dev.ebb.core.failure;

import org.jspecify.annotations.Nullable;

/**
 * The pattern that is being written: blanks in a row are one, and so are placeholders of one sort.
 */
final class PatternOutput {
  private static final char MORE = '…';

  private final StringBuilder written = new StringBuilder();
  private final int most;

  /** What was written last, with nothing but blanks and commas behind it, and where it ends. */
  private @Nullable Placeholder last;

  private int endOfLast;

  PatternOutput(int most) {
    this.most = most;
  }

  boolean isFull() {
    return written.length() > most;
  }

  void add(char c) {
    if (c == ' ' && (written.isEmpty() || written.charAt(written.length() - 1) == ' ')) {
      return;
    }
    written.append(c);
    // The points of 1.2.3 and 1,234.5 as well.
    if (" ,".indexOf(c) < 0 && !(c == '.' && last == Placeholder.NUMBER)) {
      last = null;
    }
  }

  void add(Placeholder placeholder) {
    if (placeholder == last) {
      written.setLength(endOfLast);
      return;
    }
    written.append(placeholder.shown());
    last = placeholder;
    endOfLast = written.length();
  }

  String text() {
    if (!isFull()) {
      return written.toString().stripTrailing();
    }
    int end = most - 1;
    if (Character.isHighSurrogate(written.charAt(end - 1))) {
      end--;
    }
    return written.substring(0, end) + MORE;
  }
}
