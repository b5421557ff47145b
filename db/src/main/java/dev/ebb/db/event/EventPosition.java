package dev.ebb.db.event;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How far somebody has read: the transactions whose rows it has seen, as a snapshot of PostgreSQL
 * names them.
 *
 * @param server when the server started: after a crash it may give numbers of transactions anew
 * @param time of the read, by the database's clock
 * @param next the least transaction of which nothing is known: those below have been seen
 * @param running all those below that were still under way, in order; they have not
 */
public record EventPosition(Instant server, Instant time, long next, List<Long> running) {
  private static final int RADIX = 36;
  private static final int MOST_RUNNING = 1_000;

  /** As {@link #text} writes it; a number has at most eleven digits, or nine for an instant. */
  private static final Pattern TEXT =
      Pattern.compile("([0-9a-z]{1,9})\\.([0-9a-z]{1,9})\\.([0-9a-z]{1,11})((?:-[0-9a-z]{1,11})*)");

  public EventPosition {
    running = List.copyOf(running);
  }

  /** Of a snapshot as PostgreSQL writes it: {@code xmin:xmax:running,…}. */
  static EventPosition of(Instant server, Instant time, String snapshot) {
    String[] parts = snapshot.split(":", -1);
    List<Long> running =
        parts[2].isEmpty()
            ? List.of()
            : Stream.of(parts[2].split(",", -1)).map(Long::valueOf).sorted().toList();
    return new EventPosition(server, time, Long.parseLong(parts[1]), running);
  }

  /** Whether this transaction and all below it have ended. */
  public boolean isPast(long transaction) {
    return next > transaction && (running.isEmpty() || running.getFirst() > transaction);
  }

  /** Whether the same server gave both, and did not start anew between them. */
  public boolean isOfServerOf(EventPosition other) {
    return server.toEpochMilli() == other.server.toEpochMilli();
  }

  /** Whether a row that this transaction wrote has been seen. */
  public boolean sees(long transaction) {
    return transaction < next && Collections.binarySearch(running, transaction) < 0;
  }

  /** The same as if it had stopped before this transaction. */
  EventPosition before(long transaction) {
    return new EventPosition(server, time, transaction, below(running, transaction));
  }

  /** What either has seen. */
  public EventPosition plus(EventPosition other) {
    EventPosition higher = next >= other.next ? this : other;
    EventPosition lower = next >= other.next ? other : this;
    List<Long> unseen = higher.running.stream().filter(one -> !lower.sees(one)).toList();
    return new EventPosition(server, later(time, other.time), higher.next, unseen);
  }

  /** What both have seen. */
  public EventPosition common(EventPosition other) {
    long least = Math.min(next, other.next);
    List<Long> unseen =
        below(Stream.concat(running.stream(), other.running.stream()).toList(), least);
    Instant earlier = later(time, other.time).equals(time) ? other.time : time;
    return new EventPosition(server, earlier, least, unseen);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static List<Long> below(List<Long> transactions, long bound) {
    return transactions.stream().filter(one -> one < bound).sorted().distinct().toList();
  }

  /** As an id of events: short, and without a meaning to others. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(Long.toString(server.toEpochMilli(), RADIX)).append('.');
    text.append(Long.toString(time.toEpochMilli(), RADIX)).append('.');
    text.append(Long.toString(next, RADIX));
    running.forEach(one -> text.append('-').append(Long.toString(next - one, RADIX)));
    return text.toString();
  }

  /** The position of this text; empty if it is none. */
  public static Optional<EventPosition> parse(String text) {
    var parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    try {
      long next = Long.parseLong(parts.group(3), RADIX);
      List<Long> running = new ArrayList<>();
      for (String back : parts.group(4).split("-", -1)) {
        if (!back.isEmpty()) {
          running.add(next - Long.parseLong(back, RADIX));
        }
      }
      return running.size() > MOST_RUNNING || running.stream().anyMatch(one -> one < 0)
          ? Optional.empty()
          : Optional.of(
              new EventPosition(
                  time(parts.group(1)), time(parts.group(2)), next, below(running, next)));
    } catch (NumberFormatException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Instant time(String millis) {
    return Instant.ofEpochMilli(Long.parseLong(millis, RADIX));
  }
}
