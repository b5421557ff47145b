package dev.ebb.api.events;

import dev.ebb.db.event.EventNeeds;
import dev.ebb.db.event.EventPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An open stream: the reader of events puts in, the thread of its request takes out. */
final class EventStream {
  private final EventFilter filter;
  private final @Nullable String lastEventId;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Outbox outbox = new Outbox();
  private @Nullable EventPosition position;
  private boolean open = true;
  private int caughtUp;

  /**
   * @param lastEventId where the client was before; {@code null} if it begins
   */
  EventStream(EventFilter filter, @Nullable String lastEventId) {
    this.filter = filter;
    this.lastEventId = lastEventId;
  }

  @Nullable String lastEventId() {
    return lastEventId;
  }

  EventFilter filter() {
    return filter;
  }

  EventNeeds needs() {
    return filter.needs();
  }

  /** Up to where it has been told; {@code null} before it begins. */
  @Nullable EventPosition position() {
    lock.lock();
    try {
      return position;
    } finally {
      lock.unlock();
    }
  }

  /** Begins, or goes on, at that position. */
  void begin(EventPosition at, boolean resumed, Instant now) {
    lock.lock();
    try {
      position = at;
      outbox.ready(resumed, now);
      outbox.mark(at.text());
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Goes on at that position, without what was before. */
  void reset(String reason, EventPosition at) {
    lock.lock();
    try {
      position = at;
      outbox.reset(reason, at.time());
      outbox.mark(at.text());
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tells what is news to it.
   *
   * @param news of what was read from one position up to another, by this stream's filter
   */
  void tell(FilteredNews news, EventPosition from, EventPosition upTo) {
    lock.lock();
    try {
      EventPosition before = position;
      if (before == null) {
        return;
      }
      if (before.equals(from)) {
        outbox.addAll(news);
      } else {
        news.all().stream()
            .filter(one -> !before.sees(one.event().transaction()))
            .forEach(outbox::add);
      }
      position = before.plus(upTo);
      outbox.mark(position.text());
      if (!outbox.isEmpty()) {
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many events were read for it since it came back, with these. */
  int catchUp(int events) {
    caughtUp += events;
    return caughtUp;
  }

  /** Waits for something to send; false if the time is over first, or it is closed. */
  boolean await(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (open && outbox.isEmpty() && left > 0) {
        left = changed.awaitNanos(left);
      }
      return open && !outbox.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it is closed, at most so long. */
  void awaitClose(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.NANOSECONDS.convert(atMost);
      while (open && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes all that is to be sent, which may be no more than an id. */
  String take() {
    lock.lock();
    try {
      return outbox.take();
    } finally {
      lock.unlock();
    }
  }

  boolean isOpen() {
    lock.lock();
    try {
      return open;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      open = false;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }
}
