package dev.ebb.api.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.core.Text;
import org.jspecify.annotations.Nullable;

/**
 * One broken rule and where it was broken.
 *
 * @param pointer the JSON Pointer (RFC 6901) into the body, {@code ""} for the whole; {@code null}
 *     where a parameter broke it
 * @param parameter the name of the query or path parameter; {@code null} where the body broke it
 * @param rule the rule, to be read after the field's name: "must be …"
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Violation(@Nullable String pointer, @Nullable String parameter, String rule) {
  private static final int MAX_LENGTH = 300;

  public Violation {
    pointer = pointer == null ? null : printable(pointer);
    parameter = parameter == null ? null : printable(parameter);
    rule = printable(rule);
  }

  String sentence() {
    if (parameter != null) {
      return "the parameter " + parameter + " " + rule;
    }
    return (pointer == null || pointer.isEmpty() ? "the body" : pointer) + " " + rule;
  }

  /** The sender's own text, shortened and without what JSON or a terminal cannot hold. */
  static String printable(String text) {
    StringBuilder printable = new StringBuilder();
    text.codePoints().limit(MAX_LENGTH).map(Text::printable).forEach(printable::appendCodePoint);
    return printable.toString();
  }
}
