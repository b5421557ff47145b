package dev.ebb.api.leases;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
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
  private final Map<List<String>, Begun> askers = new ConcurrentHashMap<>();
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

  /** An asker, and whose poll was its first. */
  private record Begun(Asker asker, String holder) {}

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
    Begun begun = askers.get(kinds);
    if (begun == null) {
      begun = begin(kinds, holder);
    }
    begun.asker.touch();
    return begun.asker;
  }

  private Begun begin(List<String> kinds, String holder) {
    closeUnused();
    if (!sets.take(holder, 1)) {
      throw Refusal.busy(
          "Workers poll for too many different sets of kinds. Have them ask for the same kinds,"
              + " or repeat the request.");
    }
    Begun begun =
        new Begun(new Asker(kinds, work, jobs, pollers, start::isPaused, failureLog), holder);
    askers.put(kinds, begun);
    return begun;
  }

  private void closeUnused() {
    Map.copyOf(askers)
        .forEach((kinds, begun) -> {
          if (begun.asker.isUnusedFor(KEPT)) {
            begun.asker.stop();
            askers.remove(kinds);
            sets.giveBack(begun.holder, 1);
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
      each(Asker::lookAnew);
    }
  }

  private void each(Consumer<Asker> told) {
    askers.values().forEach(begun -> told.accept(begun.asker));
  }

  private void workArrived(String queue) {
    each(asker -> asker.workArrived(queue));
  }

  /** Jobs of the queue have ended, or may start. */
  void freed(String queue) {
    each(asker -> asker.ended(queue));
    workArrived(queue);
  }

  /** Somebody asked a worker to drain, one has stopped, or the start goes on. */
  void asked() {
    each(Asker::asked);
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public synchronized void stop() {
    running = false;
    each(Asker::stop);
    if (listener != null) {
      listener.close();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
