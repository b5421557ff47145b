package dev.ebb.worker.http;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges under way with each host. None has more than half of the worker's slots, and one in
 * any case, so that a host that hangs leaves the others theirs.
 *
 * <p>An attempt beyond that waits a moment: the turns of a quick host come at once, and the
 * attempts that a hanging one turns away do not go round as fast as the database can take them.
 */
final class Destinations {
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private final int most;
  private final Duration patience;
  private final Map<String, Host> hosts = new HashMap<>();

  /** A host while it is in use; guarded by the destinations, except for the turns. */
  private static final class Host {
    private final Semaphore turns;
    private int users;

    Host(int most) {
      turns = new Semaphore(most, true);
    }

    @Nullable Host withoutOne() {
      users--;
      return users == 0 ? null : this;
    }
  }

  /**
   * @param concurrency how many jobs the worker runs at a time
   */
  Destinations(int concurrency) {
    this(concurrency, PATIENCE);
  }

  /** With a patience of its own, for tests. */
  Destinations(int concurrency, Duration patience) {
    this.most = Math.max(1, concurrency / 2);
    this.patience = patience;
  }

  /** Waits for the host's turn; false if it does not come in time. */
  boolean enter(String name) throws InterruptedException {
    boolean entered = false;
    try {
      entered = used(name).turns.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
      return entered;
    } finally {
      if (!entered) {
        drop(name);
      }
    }
  }

  /** Gives the turn back. */
  synchronized void leave(String name) {
    hosts.computeIfPresent(
        name,
        (_, host) -> {
          host.turns.release();
          return host.withoutOne();
        });
  }

  private synchronized Host used(String name) {
    Host host = hosts.computeIfAbsent(name, _ -> new Host(most));
    host.users++;
    return host;
  }

  private synchronized void drop(String name) {
    hosts.computeIfPresent(name, (_, host) -> host.withoutOne());
  }

  /** How many hosts are in use. */
  synchronized int size() {
    return hosts.size();
  }
}
