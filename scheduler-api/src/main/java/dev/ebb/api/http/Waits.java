package dev.ebb.api.http;

import dev.ebb.api.problem.Refusal;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import java.net.InetAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Requests that wait for a change of one thing each. None holds a connection meanwhile: as long as
 * there are any, one statement asks for the marks of all that is waited for, twice a second. What
 * has changed is read once for all that wait for it.
 *
 * <p>As a {@link SmartLifecycle} of the default phase it ends before the server waits for the
 * requests under way: every wait ends then.
 */
public abstract class Waits<T> implements SmartLifecycle {
  public static final int MOST = 1_000;
  public static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration REST = Duration.ofHours(1);

  private final String what;
  private final Set<Waiter<T>> waiters = ConcurrentHashMap.newKeySet();
  private final Shares places = new Shares(MOST);
  private final Loop loop;
  private volatile boolean running;
  private volatile boolean idle;

  /**
   * Starts nothing yet.
   *
   * @param what is waited for, in the singular; the loop's name and the refusals say it
   */
  @SuppressWarnings("this-escape") // The loop takes no step before it is started.
  protected Waits(String what, FailureLog failureLog) {
    this.what = what;
    this.loop = new Loop(what + "-waits", failureLog, this::step);
  }

  /** The marks by id, each of which differs after every change; none for what is gone. */
  protected abstract Map<UUID, String> marks(List<UUID> ids) throws SQLException;

  /** What has that id. */
  protected abstract Optional<T> find(UUID id) throws SQLException;

  /** A request that waits; it is equal to no other. */
  private static final class Waiter<T> {
    private final UUID id;
    private final @Nullable String mark;
    private final CompletableFuture<Waits<T>.@Nullable News> changed = new CompletableFuture<>();

    private Waiter(UUID id, @Nullable String mark) {
      this.id = id;
      this.mark = mark;
    }
  }

  /** What has changed; it is read when the first of those that wait for it asks. */
  public final class News {
    private final UUID id;
    private final @Nullable String mark;
    private boolean isRead;
    private Optional<T> found = Optional.empty();
    private @Nullable SQLException failure;

    private News(UUID id, @Nullable String mark) {
      this.id = id;
      this.mark = mark;
    }

    /** The mark, which is older than what is read. */
    public @Nullable String mark() {
      return mark;
    }

    /** What is there now, empty if it is gone. */
    public synchronized Optional<T> found() throws SQLException {
      if (!isRead) {
        isRead = true;
        read();
      }
      if (failure != null) {
        throw failure;
      }
      return found;
    }

    private void read() {
      try {
        found = find(id);
      } catch (SQLException e) {
        failure = e;
      }
    }
  }

  /** A place among those that wait. */
  public final class Place implements AutoCloseable {
    private final UUID id;
    private final InetAddress sender;

    private Place(UUID id, InetAddress sender) {
      this.id = id;
      this.sender = sender;
    }

    /** The mark, to be asked for before the thing is read; {@code null} once that is gone. */
    public @Nullable String mark() throws SQLException {
      return marks(List.of(id)).get(id);
    }

    /**
     * Waits until the mark is another, and answers the news; {@code null} if the time is over or
     * the server stops before.
     */
    public @Nullable News await(@Nullable String mark, Duration atMost)
        throws InterruptedException {
      Waiter<T> waiter = new Waiter<>(id, mark);
      waiters.add(waiter);
      if (idle) {
        loop.wake();
      }
      try {
        return running ? waiter.changed.get(atMost.toNanos(), TimeUnit.NANOSECONDS) : null;
      } catch (TimeoutException unchanged) {
        return null;
      } catch (ExecutionException never) {
        throw new IllegalStateException(never);
      } finally {
        waiters.remove(waiter);
      }
    }

    @Override
    public void close() {
      places.giveBack(sender, 1);
    }
  }

  /**
   * A place to wait, to be closed; a {@link Refusal} if all are taken, or the sender has half of
   * them.
   */
  public Place enter(UUID id, InetAddress sender) {
    if (!places.take(sender, 1)) {
      throw Refusal.busy("Too many requests are waiting for " + what + "s. Repeat the request.");
    }
    return new Place(id, sender);
  }

  /** A failure costs no more than time: whoever waited too long looks by itself. */
  private Duration step() throws SQLException {
    // Before the look: a waiter that comes after it sees this, and wakes the loop.
    idle = true;
    List<Waiter<T>> waiting = List.copyOf(waiters);
    if (waiting.isEmpty()) {
      return REST;
    }
    idle = false;
    List<UUID> ids = waiting.stream().map(waiter -> waiter.id).distinct().toList();
    Map<UUID, String> marks = marks(ids);
    Map<UUID, News> news = new HashMap<>();
    waiting.stream()
        .filter(waiter -> !Objects.equals(marks.get(waiter.id), waiter.mark))
        .forEach(waiter ->
            waiter.changed.complete(
                news.computeIfAbsent(waiter.id, id -> new News(id, marks.get(id)))));
    return PAUSE;
  }

  @Override
  public final void start() {
    running = true;
    loop.start();
  }

  @Override
  public final void stop() {
    running = false;
    loop.stop();
    waiters.forEach(waiter -> waiter.changed.complete(null));
  }

  @Override
  public final boolean isRunning() {
    return running;
  }
}
