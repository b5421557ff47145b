package dev.ebb.worker;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.claim.ClaimedJob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The room for running jobs, in slots and in bytes of payload, shared among queues so that none
 * takes it all.
 *
 * <p>A queue may hold no more than is left free, in slots and in bytes (the dynamic threshold of
 * Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", 1998).
 * A queue alone gets half of the slots, two get a third each, and a queue that comes later always
 * finds some, however long the jobs of the others take.
 *
 * <pre>
 *   one queue     ██████████······   half, half free
 *   two queues    ██████▒▒▒▒▒▒····   a third each, a third free
 * </pre>
 */
final class Slots {
  private static final int LARGEST = NewJob.MAX_PAYLOAD_BYTES;

  private final int most;
  private final boolean isShared;
  private int freeJobs;
  private long freeBytes;
  private final Map<String, TakenSlots> taken = new HashMap<>();

  /** What a queue holds; no entry for nothing. */
  private static final class TakenSlots {
    int jobs;
    long bytes;
  }

  /**
   * Room of this size, all of it free.
   *
   * @param isShared whether more than one queue may come
   */
  Slots(int jobs, long bytes, boolean isShared) {
    this.most = jobs;
    this.freeJobs = jobs;
    this.freeBytes = bytes;
    this.isShared = isShared;
  }

  /** Whether there is room for any job. */
  synchronized boolean hasRoom() {
    return freeJobs > 0 && freeBytes >= LARGEST;
  }

  synchronized int taken() {
    return most - freeJobs;
  }

  synchronized int free() {
    return freeJobs;
  }

  /**
   * Takes the room of as many jobs of the queue as it may have now, each of the largest size.
   *
   * @param beside how many others will take theirs next, for as much each
   * @return how many, 0 to {@code wanted}
   */
  synchronized int reserve(String queue, int wanted, int beside) {
    int jobs = Math.min(wanted, mayHave(taken.get(queue), beside + 2));
    if (jobs > 0) {
      take(queue, jobs, (long) jobs * LARGEST);
    }
    return jobs;
  }

  private int mayHave(@Nullable TakenSlots has, int shares) {
    if (!isShared) {
      return (int) Math.min(freeJobs, freeBytes / LARGEST);
    }
    if (has == null) {
      return Math.max(
          hasRoom() ? 1 : 0, (int) Math.min(freeJobs / shares, freeBytes / shares / LARGEST));
    }
    long bytes = Math.max(0, freeBytes - has.bytes) / shares;
    return (int) Math.min(Math.max(0, freeJobs - has.jobs) / shares, bytes / LARGEST);
  }

  /** Keeps of a reservation what the claimed jobs need, and gives the rest back. */
  synchronized void keep(String queue, int reserved, List<ClaimedJob> claimed) {
    long bytes = 0;
    for (ClaimedJob job : claimed) {
      bytes += job.payloadBytes();
    }
    take(queue, claimed.size() - reserved, bytes - (long) reserved * LARGEST);
  }

  /** Gives the room of one job back. */
  synchronized void giveBack(String queue, long bytes) {
    take(queue, -1, -bytes);
  }

  private void take(String queue, int jobs, long bytes) {
    freeJobs -= jobs;
    freeBytes -= bytes;
    TakenSlots has = taken.computeIfAbsent(queue, _ -> new TakenSlots());
    has.jobs += jobs;
    has.bytes += bytes;
    if (has.jobs == 0) {
      taken.remove(queue);
    }
  }
}
