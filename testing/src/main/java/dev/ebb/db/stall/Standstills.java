package dev.ebb.db.stall;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When this machine stood still, as two threads see it. One sleeps for {@value #TICK_MILLIS} ms and
 * notes how late it wakes: a process that is stopped, and one that gets no processor, look alike.
 * The other writes to the disk twice a second, and notes how long that takes.
 */
final class Standstills {
  /** A thread that wakes as late waits for a processor, and so does all else on the machine. */
  static final Duration LEAST = Duration.ofMillis(100);

  /** A write that takes as long holds up a commit for as long, though that is not forced. */
  static final Duration LEAST_WRITE = Duration.ofSeconds(1);

  private static final int TICK_MILLIS = 10;
  private static final int WRITE_MILLIS = 500;
  private static final int MOST = 1_000;

  private final LongSupplier nanos;
  private final Deque<Standstill> noted = new ArrayDeque<>();
  private long lastNanos;
  private @Nullable Long writingSince;

  /** From when to when on the clock, in nanoseconds. */
  private record Standstill(long from, long to) {
    long length() {
      return to - from;
    }
  }

  Standstills(LongSupplier nanos) {
    this.nanos = nanos;
    lastNanos = nanos.getAsLong();
  }

  /** Looks at the clock and the disk from now on, for as long as the process lives. */
  static Standstills watching() {
    Standstills standstills = new Standstills(System::nanoTime);
    Thread.ofPlatform().daemon().name("standstills").start(standstills::watch);
    Thread.ofPlatform().daemon().name("standstills of the disk").start(standstills::watchDisk);
    return standstills;
  }

  private void watchDisk() {
    try (FileChannel file =
        FileChannel.open(
            Files.createTempFile("standstills", null),
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      while (true) {
        begin();
        file.write(ByteBuffer.wrap(new byte[1]), 0);
        file.force(false);
        end();
        LockSupport.parkNanos(Duration.ofMillis(WRITE_MILLIS).toNanos());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A write begins. */
  synchronized void begin() {
    writingSince = nanos.getAsLong();
  }

  /** It has ended. */
  synchronized void end() {
    noteWrite(nanos.getAsLong());
    writingSince = null;
  }

  private void noteWrite(long now) {
    if (writingSince != null && now - writingSince >= LEAST_WRITE.toNanos()) {
      note(new Standstill(writingSince, now));
    }
  }

  private void note(Standstill standstill) {
    noted.addLast(standstill);
    if (noted.size() > MOST) {
      noted.removeFirst();
    }
  }

  private void watch() {
    while (true) {
      LockSupport.parkNanos(Duration.ofMillis(TICK_MILLIS).toNanos());
      look();
    }
  }

  /** Notes that nothing went on since the last look, if that is long ago. */
  synchronized void look() {
    long now = nanos.getAsLong();
    if (now - lastNanos >= LEAST.toNanos()) {
      note(new Standstill(lastNanos, now));
    }
    lastNanos = now;
  }

  /**
   * The longest that went on at or after a time of the clock.
   *
   * @param since of {@link System#nanoTime}
   * @return zero if there was none
   */
  synchronized Duration longestSince(long since) {
    look();
    noteWrite(nanos.getAsLong());
    long longest = 0;
    for (Standstill each : noted) {
      if (each.to - since > 0) {
        longest = Math.max(longest, each.length());
      }
    }
    return Duration.ofNanos(longest);
  }
}
