package dev.ebb.db.submit;

import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.submit.PendingSubmit.Answer;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A line of jobs and the one thread that writes them: what arrives during a commit is the next
 * batch. A caller that finds it idle writes its own job.
 *
 * <p>No caller writes for others: an interrupt of its virtual thread would close the socket on
 * which it waits, and cut them off, too.
 */
final class CommitBatcher implements AutoCloseable {
  /**
   * How long a batch waits for the callers that the last one answered: under load they come back at
   * once, and would otherwise miss every other commit. One caller alone never waits.
   */
  private static final long GATHER_NANOS = 100_000;

  /** How long a batch waits for a lock: most holders commit soon. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  /** The same for a part of a batch that has waited in vain; zero would be for ever. */
  private static final Duration NO_PATIENCE = Duration.ofMillis(1);

  private final Writer writer;
  private final int maxSize;
  private final LockedKeys locked;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final ArrayDeque<PendingSubmit> line = new ArrayDeque<>();
  private final Thread thread;
  private volatile int length;

  /** Whether somebody writes; true until the thread has come to its line for the first time. */
  private boolean busy = true;

  private boolean closed;

  /** Stores jobs, and answers once they are committed. */
  @FunctionalInterface
  interface Writer {
    /**
     * Stores all of them; the answers stand in their order. When it throws, none is stored, or all
     * are found by their idempotency keys when they are written again.
     *
     * @param lockPatience how long it may wait for a unique key that an open transaction holds
     */
    List<SubmitAnswer> write(List<Submission> submissions, Duration lockPatience)
        throws SQLException;
  }

  /**
   * Starts the batcher.
   *
   * @param maxSize of a batch, in the unit of {@link PendingSubmit#size()}
   * @param locked the keys whose jobs it does not write, to which it adds those that it meets
   */
  CommitBatcher(String name, int maxSize, LockedKeys locked, Writer writer) {
    this.writer = writer;
    this.maxSize = maxSize;
    this.locked = locked;
    this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
  }

  /** Writes the job at once if nobody else is here, or gets in line and waits for the answer. */
  Answer submit(PendingSubmit waiting) throws SQLException {
    if (enter(waiting)) {
      writeAlone(waiting);
    }
    return waiting.await();
  }

  private boolean enter(PendingSubmit waiting) throws SQLException {
    lock.lock();
    try {
      if (closed) {
        throw new SQLException("the submitter is closed", SqlStates.NOT_CONNECTED);
      }
      // A caller that has just left must not overtake those that have waited since.
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

  private void writeAlone(PendingSubmit waiting) {
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
    for (List<PendingSubmit> batch = take(); !batch.isEmpty(); batch = take()) {
      write(batch);
      gather(batch.size());
    }
  }

  /** The next batch; empty once the batcher is closed and nobody waits. */
  private List<PendingSubmit> take() {
    lock.lock();
    try {
      busy = false;
      while (busy || (line.isEmpty() && !closed)) {
        work.awaitUninterruptibly();
      }
      busy = true;
      List<PendingSubmit> batch = new ArrayList<>();
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
   * It spins, because to be woken takes longer than they need to come back. That is at most 100 µs
   * of a core for a batch.
   */
  @SuppressWarnings("ThreadPriorityCheck") // It yields so that they can run.
  private void gather(int wanted) {
    long start = System.nanoTime();
    while (wanted > 1 && length < wanted && System.nanoTime() - start < GATHER_NANOS) {
      Thread.yield();
    }
  }

  private static boolean fits(@Nullable PendingSubmit next, List<PendingSubmit> batch, int room) {
    return next != null
        && batch.size() < Submit.MAX_JOBS
        && (batch.isEmpty() || next.size() <= room);
  }

  private void write(List<PendingSubmit> batch) {
    try {
      write(batch, PATIENCE);
    } catch (SQLTransientConnectionException e) {
      // There was no connection for as long as anybody would wait: fails everybody in line at once.
      batch.addAll(everybody());
      answer(batch, new Answer.Failed(e));
    } catch (SQLException e) {
      answer(batch, SqlStates.isPerhapsOfTheRows(e) ? new Answer.Alone() : new Answer.Failed(e));
    } catch (RuntimeException | Error e) {
      answer(batch, new Answer.Failed(new SQLException("a batch of jobs was not written", e)));
    }
  }

  /** Writes the jobs whose unique keys no open transaction holds. */
  private void write(List<PendingSubmit> jobs, Duration patience) throws SQLException {
    List<PendingSubmit> free = withoutLocked(jobs);
    if (free.isEmpty()) {
      return;
    }
    List<SubmitAnswer> answers;
    try {
      answers = writer.write(free.stream().map(PendingSubmit::submission).toList(), patience);
    } catch (SQLException e) {
      if (!SqlStates.isUniqueKeyHeld(e)) {
        throw e;
      }
      takeApart(free);
      return;
    }
    for (int i = 0; i < answers.size(); i++) {
      free.get(i).answer(new Answer.Written(answers.get(i)));
    }
  }

  private List<PendingSubmit> withoutLocked(List<PendingSubmit> jobs) {
    List<PendingSubmit> free = new ArrayList<>(jobs.size());
    for (PendingSubmit waiting : jobs) {
      if (locked.has(waiting.job())) {
        waiting.answer(new Answer.KeyLocked());
      } else {
        free.add(waiting);
      }
    }
    return free;
  }

  /** Writes the halves, and refused ones in halves again, until what is refused is one job. */
  private void takeApart(List<PendingSubmit> jobs) throws SQLException {
    if (jobs.size() == 1) {
      locked.add(jobs.getFirst().job());
      answer(jobs, new Answer.KeyLocked());
      return;
    }
    int half = jobs.size() / 2;
    write(jobs.subList(0, half), NO_PATIENCE);
    write(jobs.subList(half, jobs.size()), NO_PATIENCE);
  }

  private static void answer(List<PendingSubmit> batch, Answer answer) {
    batch.forEach(waiting -> waiting.answer(answer));
  }

  private List<PendingSubmit> everybody() {
    lock.lock();
    try {
      List<PendingSubmit> everybody = List.copyOf(line);
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

  /** Lets nobody in any more, and returns when every caller in line has its answer. */
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
