package dev.ebb.api.events;

import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.event.Event;
import dev.ebb.db.event.Event.ChangeEvent;
import dev.ebb.db.event.EventBatch;
import dev.ebb.db.event.EventLog;
import dev.ebb.db.event.EventNeeds;
import dev.ebb.db.event.EventPosition;
import dev.ebb.db.start.StartWatch;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Reads events for all streams of this process: one statement twice a second while there are any,
 * none while there are not.
 *
 * <p>As a {@link SmartLifecycle} of the default phase it ends before the server waits for the
 * requests under way: every stream ends then.
 */
public final class EventReader implements SmartLifecycle {
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration LISTEN_AGAIN = Duration.ofMinutes(1);

  /** What was under way at the start should end within a blink; some backup may take longer. */
  private static final int MOST_LOOKS = 100;

  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final EventLog log;
  private final StreamRules rules;
  private final StartWatch start;
  private final ReaderFailures failures;
  private final Queue<EventStream> coming = new ConcurrentLinkedQueue<>();
  private final Semaphore came = new Semaphore(0);
  private final Set<EventStream> live = ConcurrentHashMap.newKeySet();
  private final Set<EventStream> behind = ConcurrentHashMap.newKeySet();
  private @Nullable EventPosition position;
  private @Nullable Thread thread;
  private long listenedNanos;
  private volatile long readNanos = System.nanoTime();
  private volatile boolean running;

  EventReader(EventLog log, StreamRules rules, StartWatch start, MeterRegistry meters) {
    this.log = log;
    this.rules = rules;
    this.start = start;
    this.failures = new ReaderFailures(meters);
  }

  /** Has events told to the stream until it is closed. */
  void add(EventStream stream) {
    coming.add(stream);
    came.release();
    if (!running) {
      stream.close();
    }
  }

  /** How old what streams have been told is, at least. */
  Duration age() {
    return Duration.ofNanos(System.nanoTime() - readNanos);
  }

  private void run() {
    try {
      while (running) {
        if (isAlone()) {
          position = null;
          came.acquire();
        } else {
          came.tryAcquire(stepOnce().toNanos(), TimeUnit.NANOSECONDS);
        }
        came.drainPermits();
      }
    } catch (InterruptedException stopped) {
      // The server stops.
    }
  }

  private boolean isAlone() {
    live.removeIf(stream -> !stream.isOpen());
    behind.removeIf(stream -> !stream.isOpen());
    coming.removeIf(stream -> !stream.isOpen());
    return live.isEmpty() && behind.isEmpty() && coming.isEmpty();
  }

  private Duration stepOnce() throws InterruptedException {
    try {
      boolean more = step();
      failures.recovered();
      return more ? Duration.ZERO : PAUSE;
    } catch (SQLException | RuntimeException | Error e) {
      return failures.failed(e);
    }
  }

  /** Whether there is more to read at once. */
  private boolean step() throws SQLException, InterruptedException {
    EventPosition from = position;
    if (from == null || age().compareTo(EventLog.KEPT) > 0) {
      from = begin();
    }
    if (System.nanoTime() - listenedNanos > LISTEN_AGAIN.toNanos()) {
      listen();
      forget();
    }
    admit(from);
    boolean more = readOn(from);
    return catchUp() || more;
  }

  private long listen() throws SQLException {
    long now = System.nanoTime();
    long start = log.listen();
    listenedNanos = now;
    return start;
  }

  /** Some reader holds the table: the next minute will do. */
  private void forget() throws SQLException {
    try {
      log.forget();
    } catch (SQLException e) {
      if (!SqlStates.isLocked(e)) {
        throw e;
      }
    }
  }

  /** Finds where to begin. Streams that are open already have missed something. */
  private EventPosition begin() throws SQLException, InterruptedException {
    long start = listen();
    EventPosition now = log.now();
    for (int look = 1; look < MOST_LOOKS && !now.isPast(start); look++) {
      Thread.sleep(LOOK_AGAIN);
      now = log.now();
    }
    position = now;
    readNanos = System.nanoTime();
    live.addAll(behind);
    behind.clear();
    for (EventStream stream : live) {
      stream.reset("gap", now);
    }
    return now;
  }

  private void admit(EventPosition now) {
    for (EventStream stream = coming.poll(); stream != null; stream = coming.poll()) {
      String id = stream.lastEventId();
      if (id == null) {
        stream.begin(now, false, now.time());
        live.add(stream);
      } else {
        resume(stream, EventPosition.parse(id), now);
      }
    }
  }

  private void resume(EventStream stream, Optional<EventPosition> known, EventPosition now) {
    if (known.isEmpty() || !known.get().isOfServerOf(now)) {
      stream.reset("unknown_id", now);
      live.add(stream);
    } else if (known.get().time().isBefore(now.time().minus(EventLog.KEPT))) {
      stream.reset("too_old", now);
      live.add(stream);
    } else {
      stream.begin(known.get(), true, now.time());
      behind.add(stream);
    }
  }

  private boolean readOn(EventPosition from) throws SQLException {
    EventBatch batch = log.after(from, needs(live));
    if (batch.torn()) {
      position = null;
      return true;
    }
    tell(live, from, batch);
    position = batch.position();
    readNanos = System.nanoTime();
    return batch.more();
  }

  /**
   * Reads a page for the streams that came back, all at once from the one that is furthest back.
   */
  private boolean catchUp() throws SQLException {
    EventPosition from =
        behind.stream()
            .flatMap(stream -> Optional.ofNullable(stream.position()).stream())
            .reduce(EventPosition::common)
            .orElse(null);
    EventPosition now = position;
    if (from == null || now == null) {
      return false;
    }
    EventBatch batch = log.after(from, needs(behind));
    tell(behind, from, batch);
    for (EventStream stream : List.copyOf(behind)) {
      boolean tooMany = stream.catchUp(batch.events().size()) > rules.catchUp();
      if (batch.torn() || (batch.more() && tooMany)) {
        stream.reset("too_many", now);
      }
      if (batch.torn() || tooMany || !batch.more()) {
        behind.remove(stream);
        live.add(stream);
      }
    }
    return !behind.isEmpty();
  }

  /**
   * Most streams have a filter that others have as well. A page that is told of a pause asks at
   * once how the start is, so this process must know by then.
   */
  private void tell(Collection<EventStream> streams, EventPosition from, EventBatch batch)
      throws SQLException {
    if (batch.events().stream().anyMatch(EventReader::isOfStart)) {
      start.look();
    }
    List<News> news = batch.events().stream().map(News::new).toList();
    Map<EventFilter, FilteredNews> byFilter = new HashMap<>();
    for (EventStream stream : streams) {
      FilteredNews own =
          byFilter.computeIfAbsent(stream.filter(), filter -> new FilteredNews(filter, news));
      stream.tell(own, from, batch.position());
    }
  }

  private static boolean isOfStart(Event event) {
    return event instanceof ChangeEvent change && change.isOfStart();
  }

  private static EventNeeds needs(Collection<EventStream> streams) {
    boolean labels = false;
    boolean errors = false;
    for (EventStream stream : streams) {
      labels |= stream.needs().labels();
      errors |= stream.needs().errors();
    }
    return new EventNeeds(labels, errors);
  }

  @Override
  public synchronized void start() {
    running = true;
    thread = Thread.ofPlatform().daemon().name("ebb-events").start(this::run);
  }

  @Override
  public synchronized void stop() {
    running = false;
    Thread reader = thread;
    if (reader != null) {
      reader.interrupt();
      join(reader);
    }
    coming.forEach(EventStream::close);
    live.forEach(EventStream::close);
    behind.forEach(EventStream::close);
  }

  private static void join(Thread reader) {
    try {
      reader.join(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
