package dev.ebb.contract;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of a list, whose answer links to the next page. */
public interface Paged {
  /** {@return the entries of the page} */
  List<?> items();

  /** {@return where the next page begins; {@code null} at the end} */
  @Nullable String nextCursor();
}
