package dev.ebb.api.leases;

import static java.util.Objects.requireNonNull;

import dev.ebb.api.http.Shares;
import dev.ebb.api.problem.Refusal;
import dev.ebb.db.JobQueue;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.notify.NotificationListener;
import dev.ebb.db.poll.PollWork;
import dev.ebb.db.poll.Pollers;
import dev.ebb.db.start.StartWatch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The polls that wait in this process, by the kinds that they ask for.
 *
 * <p>As a {@link SmartLifecycle} of the default phase it ends before the server waits for the
 * requests under way: every wait ends then.
 */
public final class Askers implements SmartLifecycle {
  /** How many polls wait at a time; of one token, half of them. */
  static final int MOST_POLLS = 2_000;

  /** For how many sets of kinds polls wait at a time; those that one token began, half of them. */
  static final int MOST_SETS = 128;

  private static final Duration KEPT = Duration.ofMinutes(1);

  private final PollWork work;
  private final JobQueue jobs;
  private final Pollers pollers;
  private final StartWatch start;
  private final FailureLog failureLog;
  private final Shares places = new Shares(MOST_POLLS);
  private final Shares sets = new Shares(MOST_SETS);
  private final Map<List<String>, Asker> askers = new ConcurrentHashMap<>();

  /** By the kinds of each asker, whose poll was its first. */
  private final Map<List<String>, String> begunBy = new HashMap<>();

  private @Nullable NotificationListener listener;
  private int listenedBy;
  private volatile boolean running;

  Askers(PollWork work, JobQueue jobs, Pollers pollers, StartWatch start, FailureLog failureLog) {
    this.work = work;
    this.jobs = jobs;
    this.pollers = pollers;
    this.start = start;
    this.failureLog = failureLog;
  }

  /** Has the poll wait, and answers what it was given; {@code null} for nothing. */
  Waiter.@Nullable Given await(Waiter waiter) throws SQLException, InterruptedException {
    String holder = waiter.poll().from().holder();
    if (!places.take(holder, 1)) {
      throw Refusal.busy("Too many polls are waiting. Repeat the request.");
    }
    try {
      return awaitIn(waiter, holder);
    } finally {
      places.giveBack(holder, 1);
    }
  }

  private Waiter.@Nullable Given awaitIn(Waiter waiter, String holder) throws InterruptedException {
    Asker asker = asker(waiter.poll().worker().kinds(), holder);
    asker.add(waiter);
    try {
      if (!running) {
        waiter.stop(null);
      }
      return waiter.await();
    } finally {
      asker.remove(waiter);
    }
  }

  private synchronized Asker asker(List<String> kinds, String holder) {
    listen();
    Asker asker = askers.get(kinds);
    if (asker == null) {
      closeUnused();
      if (!sets.take(holder, 1)) {
        throw Refusal.busy(
            "Workers poll for too many different sets of kinds. Have them ask for the same kinds,"
                + " or repeat the request.");
      }
      asker = new Asker(kinds, work, jobs, pollers, start::isPaused, failureLog);
      askers.put(kinds, asker);
      begunBy.put(kinds, holder);
    }
    asker.touch();
    return asker;
  }

  private void closeUnused() {
    Map.copyOf(askers)
        .forEach((kinds, asker) -> {
          if (asker.isUnusedFor(KEPT)) {
            asker.stop();
            askers.remove(kinds);
            sets.giveBack(requireNonNull(begunBy.remove(kinds)), 1);
          }
        });
  }

  /** Begins with the first poll; what came while it did not listen is looked for. */
  private void listen() {
    if (listener == null) {
      listener = work.listen(failureLog, this::workArrived, this::asked);
    }
    int listens = listener == null ? 0 : listener.listensBy();
    if (listens != listenedBy) {
      listenedBy = listens;
      askers.values().forEach(Asker::lookAnew);
    }
  }

  private void workArrived(String queue) {
    askers.values().forEach(asker -> asker.workArrived(queue));
  }

  /** Jobs of the queue have ended, or may start. */
  void freed(String queue) {
    askers.values().forEach(asker -> asker.ended(queue));
    workArrived(queue);
  }

  /** Somebody asked a worker to drain, one has stopped, or the start goes on. */
  void asked() {
    askers.values().forEach(Asker::asked);
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public synchronized void stop() {
    running = false;
    askers.values().forEach(Asker::stop);
    if (listener != null) {
      listener.close();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
