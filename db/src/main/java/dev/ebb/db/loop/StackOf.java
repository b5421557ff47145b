package dev.ebb.db.loop;

import java.io.Serial;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import org.jspecify.annotations.Nullable;

/**
 * For a log: what a thread is at, caused by what the holder of the lock is at that it waits for.
 */
final class StackOf extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private static final int MOST_HOLDERS = 5;

  private StackOf(ThreadInfo thread, @Nullable StackOf holder) {
    super("thread " + thread.getThreadName() + ", " + thread.getThreadState() + on(thread), holder);
    setStackTrace(thread.getStackTrace());
  }

  private static String on(ThreadInfo thread) {
    return thread.getLockName() == null ? "" : " on " + thread.getLockName();
  }

  /** {@code null} if it has ended. */
  static @Nullable StackOf thread(long id) {
    return thread(id, MOST_HOLDERS);
  }

  private static @Nullable StackOf thread(long id, int holders) {
    ThreadInfo thread =
        id < 0 || holders < 0
            ? null
            : ManagementFactory.getThreadMXBean().getThreadInfo(id, Integer.MAX_VALUE);
    return thread == null
        ? null
        : new StackOf(thread, thread(thread.getLockOwnerId(), holders - 1));
  }
}
