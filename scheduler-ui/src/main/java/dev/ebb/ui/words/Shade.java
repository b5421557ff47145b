package dev.ebb.ui.words;

/** How dark a cell of a table is. */
public final class Shade {
  private Shade() {}

  /** The shade of a part of a total: 0 for none of it, and then 1 to 4. */
  public static int of(long part, long total) {
    if (part <= 0 || total <= 0) {
      return 0;
    }
    double share = (double) part / total;
    if (share <= 0.05) {
      return 1;
    }
    return share <= 0.2 ? 2 : share <= 0.5 ? 3 : 4;
  }
}
