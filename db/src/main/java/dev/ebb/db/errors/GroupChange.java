package dev.ebb.db.errors;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.Text;
import org.jspecify.annotations.Nullable;

/**
 * What people want to say of a group.
 *
 * @param acknowledged whether it is acknowledged as of now; {@code null} leaves it as it is
 * @param changesNote whether the note becomes this one
 * @param note {@code null} for none
 */
public record GroupChange(
    @Nullable Boolean acknowledged, boolean changesNote, @Nullable String note) {
  private static final int LONGEST_NOTE = 1_000;

  public GroupChange {
    if (note != null) {
      require(
          !note.isBlank() && note.length() <= LONGEST_NOTE && Text.isStorable(note),
          "note",
          "must be 1 to 1000 characters, without NUL or lone surrogates");
    }
  }
}
