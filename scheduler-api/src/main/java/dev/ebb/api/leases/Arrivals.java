package dev.ebb.api.leases;

import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.poll.Pollers;
import dev.ebb.db.poll.Pollers.Poller;
import dev.ebb.db.poll.Pollers.Seen;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Has polls that arrive together share a statement: those that come while one is under way share
 * the next. So a thousand workers that come back at once take one connection, and not all of them.
 */
final class Arrivals {
  private static final int MOST = 500;

  private final Pollers pollers;
  private final Queue<Arrival> waiting = new ConcurrentLinkedQueue<>();
  private final ReentrantLock turn = new ReentrantLock();

  /** A poll that arrives, and what came of it. */
  private static final class Arrival {
    private final Poller poller;
    private volatile @Nullable Seen seen;
    private volatile @Nullable SQLException failure;

    Arrival(Poller poller) {
      this.poller = poller;
    }
  }

  Arrivals(Pollers pollers) {
    this.pollers = pollers;
  }

  /** Has the worker's row say that it lives, and answers how the poll finds it. */
  Seen seen(Poller poller) throws SQLException {
    Arrival mine = new Arrival(poller);
    waiting.add(mine);
    Seen seen = null;
    while (seen == null) {
      turn.lock();
      try {
        if (mine.seen == null && mine.failure == null) {
          tell(next());
        }
      } finally {
        turn.unlock();
      }
      SQLException failure = mine.failure;
      if (failure != null) {
        throw SqlStates.again(failure);
      }
      seen = mine.seen;
    }
    return seen;
  }

  /** Those that waited longest, one of each name: a statement writes no row twice. */
  private List<Arrival> next() {
    Map<String, Arrival> byName = new HashMap<>();
    for (Iterator<Arrival> all = waiting.iterator(); all.hasNext() && byName.size() < MOST; ) {
      Arrival arrival = all.next();
      if (byName.putIfAbsent(arrival.poller.worker().name(), arrival) == null) {
        all.remove();
      }
    }
    return List.copyOf(byName.values());
  }

  private void tell(List<Arrival> arrivals) {
    SQLException failure = new SQLException("the worker was not seen");
    Map<String, Seen> seen = Map.of();
    try {
      seen = pollers.seen(arrivals.stream().map(arrival -> arrival.poller).toList());
    } catch (SQLException e) {
      failure = e;
    } finally {
      for (Arrival arrival : arrivals) {
        arrival.seen = seen.get(arrival.poller.worker().name());
        arrival.failure = arrival.seen == null ? failure : null;
      }
    }
  }
}
