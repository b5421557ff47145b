package dev.ebb.ui.answer;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A refusal with the rules that are broken, by the fields of the body. */
public record Refused(String title, @Nullable String detail, @Nullable List<Rule> errors) {

  /** A rule, and where it is broken. */
  public record Rule(@Nullable String pointer, String rule) {}

  /** The rule that a field breaks; {@code null} if it keeps all. */
  public @Nullable String at(String pointer) {
    return Objects.requireNonNullElse(errors, List.<Rule>of()).stream()
        .filter(one -> isAt(one.pointer(), pointer))
        .map(Rule::rule)
        .findFirst()
        .orElse(null);
  }

  private static boolean isAt(@Nullable String place, String pointer) {
    return place != null && (place.equals(pointer) || place.startsWith(pointer + "/"));
  }
}
