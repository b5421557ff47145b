package dev.ebb.ui.answer;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;

/**
 * When a schedule fires, in words and by the clocks of its zone.
 *
 * @param syntax how it was read: unix, quartz or interval
 */
public record FireTimes(String words, String syntax, String timeZone, List<Item> fires) {

  /**
   * A fire to come.
   *
   * @param shift what daylight saving does to it: none, gap or overlap
   */
  public record Item(Instant at, LocalDateTime local, String offset, String shift) {}
}
