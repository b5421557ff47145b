package dev.ebb.contract;

import java.time.Instant;
import java.util.List;

/**
 * When a schedule fires, in words and by the clocks of its zone.
 *
 * @param words what it means, such as: At 09:00 on Monday to Friday
 * @param syntax how it was read: unix, quartz or interval
 * @param timeZone the zone
 * @param fires the next ones
 */
public record SchedulePreview(String words, String syntax, String timeZone, List<Item> fires) {

  /**
   * A fire to come.
   *
   * @param at when
   * @param local the same by the clocks of the zone
   * @param offset how far those are ahead of UTC then
   * @param shift what daylight saving does to it: none, gap or overlap
   */
  public record Item(Instant at, String local, String offset, String shift) {}
}
