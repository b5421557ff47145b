package dev.ebb.db;

import dev.ebb.core.NewJob;
import dev.ebb.db.Waiting.Answer;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A line of jobs and the one thread that writes them: what arrives during a commit is the next
 * batch. Who comes while nothing goes on writes for himself.
 *
 * <p>No caller writes for others: an interrupt of his virtual thread would close the socket on
 * which he waits, and cut them off, too.
 */
final class Lane implements AutoCloseable {
  /**
   * How long a batch waits for those whom the last one answered: under load they come back at once,
   * and would else fill every other commit only. One caller alone never waits.
   */
  private static final long GATHER_NANOS = 100_000;

  /**
   * SQLSTATE classes by which the server says that the statement wrote nothing, and that its rows
   * may be the reason: data, constraints, conflicts, limits, locks.
   */
  private static final Set<String> CLASSES_OF_THE_JOBS = Set.of("22", "23", "40", "54", "55");

  private static final String CANCELED = "57014";

  private final Writer writer;
  private final int maxSize;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final ArrayDeque<Waiting> line = new ArrayDeque<>();
  private final Thread thread;
  private volatile int length;

  /** Until the thread has come to its line for the first time, nobody is alone. */
  private boolean busy = true;

  private boolean closed;

  /** Stores jobs, and answers once they are committed. */
  @FunctionalInterface
  interface Writer {
    List<Submitted> write(List<NewJob> jobs) throws SQLException;
  }

  /**
   * Opens the lane.
   *
   * @param maxSize of a batch, in the unit of {@link Waiting#size()}
   */
  Lane(String name, int maxSize, Writer writer) {
    this.writer = writer;
    this.maxSize = maxSize;
    this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
  }

  /** Writes the job at once if nobody else is here, or gets in line and waits for the answer. */
  Answer submit(Waiting waiting) throws SQLException {
    if (enter(waiting)) {
      writeAlone(waiting);
    }
    return waiting.await();
  }

  private boolean enter(Waiting waiting) throws SQLException {
    lock.lock();
    try {
      if (closed) {
        throw new SQLException("the submitter is closed", "08003");
      }
      // Who left a moment ago has to let those pass who wait since then.
      boolean alone = !busy && line.isEmpty();
      if (alone) {
        busy = true;
      } else {
        line.add(waiting);
        length = line.size();
        work.signal();
      }
      return alone;
    } finally {
      lock.unlock();
    }
  }

  private void writeAlone(Waiting waiting) {
    try {
      write(new ArrayList<>(List.of(waiting)));
    } finally {
      leave();
    }
  }

  private void leave() {
    lock.lock();
    try {
      busy = false;
      if (closed || !line.isEmpty()) {
        work.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    for (List<Waiting> batch = take(); !batch.isEmpty(); batch = take()) {
      write(batch);
      gather(batch.size());
    }
  }

  /** The next batch; empty once the lane is closed and nobody waits. */
  private List<Waiting> take() {
    lock.lock();
    try {
      busy = false;
      while (busy || (line.isEmpty() && !closed)) {
        work.awaitUninterruptibly();
      }
      busy = true;
      List<Waiting> batch = new ArrayList<>();
      for (int room = maxSize; fits(line.peek(), batch, room); room -= batch.getLast().size()) {
        batch.add(line.remove());
      }
      length = line.size();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /**
   * To be woken would take longer than they need to come back. At most 100 µs of a core a batch.
   */
  @SuppressWarnings("ThreadPriorityCheck") // It yields so that they can run.
  private void gather(int wanted) {
    long start = System.nanoTime();
    while (wanted > 1 && length < wanted && System.nanoTime() - start < GATHER_NANOS) {
      Thread.yield();
    }
  }

  private static boolean fits(@Nullable Waiting next, List<Waiting> batch, int room) {
    return next != null
        && batch.size() < Submit.MAX_JOBS
        && (batch.isEmpty() || next.size() <= room);
  }

  private void write(List<Waiting> batch) {
    try {
      List<Submitted> submitted = writer.write(batch.stream().map(Waiting::job).toList());
      for (int i = 0; i < submitted.size(); i++) {
        batch.get(i).answer(new Answer.Stored(submitted.get(i)));
      }
    } catch (SQLTransientConnectionException e) {
      // No connection is to be had, for as long as anybody would wait: the line need not, too.
      batch.addAll(everybody());
      answer(batch, new Answer.Failed(e));
    } catch (SQLException e) {
      answer(batch, isOfTheJobs(e.getSQLState()) ? new Answer.Alone() : new Answer.Failed(e));
    } catch (RuntimeException | Error e) {
      answer(batch, new Answer.Failed(new SQLException("a batch of jobs was not written", e)));
    }
  }

  private static void answer(List<Waiting> batch, Answer answer) {
    batch.forEach(waiting -> waiting.answer(answer));
  }

  private static boolean isOfTheJobs(@Nullable String state) {
    return state != null
        && (state.equals(CANCELED)
            || (state.length() == 5 && CLASSES_OF_THE_JOBS.contains(state.substring(0, 2))));
  }

  private List<Waiting> everybody() {
    lock.lock();
    try {
      List<Waiting> everybody = List.copyOf(line);
      line.clear();
      length = 0;
      return everybody;
    } finally {
      lock.unlock();
    }
  }

  /** How many are in line behind the batch that is being written. */
  int length() {
    return length;
  }

  /** Lets nobody in any more, and returns when all who were in line have their answer. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
