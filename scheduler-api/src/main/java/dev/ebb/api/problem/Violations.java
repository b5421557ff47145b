package dev.ebb.api.problem;

import dev.ebb.contract.Violation;
import dev.ebb.core.Text;
import org.jspecify.annotations.Nullable;

/** Makes violations that any reader can print, and says them in a sentence. */
public final class Violations {
  private static final int MAX_LENGTH = 300;

  private Violations() {}

  /** A rule that the body breaks at a JSON Pointer, or a parameter breaks. */
  public static Violation of(@Nullable String pointer, @Nullable String parameter, String rule) {
    return new Violation(
        pointer == null ? null : printable(pointer),
        parameter == null ? null : printable(parameter),
        printable(rule));
  }

  static String sentence(Violation violation) {
    String parameter = violation.parameter();
    String pointer = violation.pointer();
    String where =
        parameter != null
            ? "The parameter " + parameter
            : pointer == null || pointer.isEmpty() ? "The body" : pointer;
    return where + " " + violation.rule();
  }

  /** The sender's own text, shortened and without what JSON or a terminal cannot hold. */
  static String printable(String text) {
    StringBuilder printable = new StringBuilder();
    text.codePoints().limit(MAX_LENGTH).map(Text::printable).forEach(printable::appendCodePoint);
    return printable.toString();
  }
}
