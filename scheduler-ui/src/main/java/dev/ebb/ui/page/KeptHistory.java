package dev.ebb.ui.page;

import dev.ebb.contract.DatabaseHealth;
import java.time.Instant;

/** Since when all jobs that ended are still there. */
public final class KeptHistory {
  private KeptHistory() {}

  /** For charts of that window: only long ones have to ask. */
  public static Instant since(Page page, Window window) {
    return window.isLong()
        ? since(page, page.get(DatabaseHealth.class, "/v1/database"))
        : surely(page);
  }

  /** As the database says. */
  public static Instant since(Page page, DatabaseHealth database) {
    Instant surely = surely(page);
    Instant kept = database.keptSince();
    return kept == null || kept.isAfter(surely) ? surely : kept;
  }

  private static Instant surely(Page page) {
    return page.now().minus(Window.SURELY_KEPT);
  }
}
