package dev.ebb.ui.sheet;

import dev.ebb.ui.json.Exact;
import org.jspecify.annotations.Nullable;

/** A form in which rows are written into a file. */
public interface Sheet {
  /** The type of its content. */
  String type();

  /** What comes before the rows. */
  String begin();

  /** A row, as the API answers it. */
  String row(Exact item, boolean first);

  /**
   * What follows the rows.
   *
   * @param next the cursor of the rows that are missing; {@code null} if the file has all
   */
  String end(long rows, @Nullable String next);
}
