package dev.ebb.db.event;

import java.util.List;

/**
 * What a read answered.
 *
 * @param events in the order of their transactions' numbers
 * @param position how far it came
 * @param more whether there is more to read at once
 * @param torn whether events were left out: the server started anew, or one transaction wrote more
 *     than a read takes
 */
public record EventBatch(List<Event> events, EventPosition position, boolean more, boolean torn) {
  public EventBatch {
    events = List.copyOf(events);
  }
}
