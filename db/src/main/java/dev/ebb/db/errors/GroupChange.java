package dev.ebb.db.errors;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.Text;
import org.jspecify.annotations.Nullable;

/**
 * What people want to say of a group.
 *
 * @param acknowledged whether it is acknowledged as of now; {@code null} leaves it as it is
 * @param assignee who looks after it, in up to 100 characters; {@code null} leaves it as it is
 * @param note in up to 1,000 characters; {@code null} leaves it as it is
 */
public record GroupChange(
    @Nullable Boolean acknowledged, @Nullable Words assignee, @Nullable Words note) {
  public GroupChange {
    check("assignee", assignee, 100);
    check("note", note, 1_000);
  }

  /**
   * What is to be kept.
   *
   * @param text {@code null} for nothing
   */
  public record Words(@Nullable String text) {}

  private static void check(String field, @Nullable Words words, int longest) {
    String text = words == null ? null : words.text();
    if (text != null) {
      require(
          !text.isBlank() && text.length() <= longest && Text.isStorable(text),
          field,
          "must be 1 to " + longest + " characters, without NUL or lone surrogates");
    }
  }
}
