package dev.ebb.worker;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.queue.QueueSettings;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The room for running jobs, in slots and in bytes of payload, shared among queues by their weights
 * so that none takes it all.
 *
 * <p>A queue may hold no more than its weight times what is left free, in slots and in bytes (the
 * dynamic threshold of Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory
 * Packet Switches", 1998, whose alpha is the weight). So queues that have work share the slots as
 * their weights are, and a queue that comes later always finds some, however long the jobs of the
 * others take. A queue of weight 1 alone gets half of the slots, two get a third each.
 *
 * <pre>
 *   weight 1           ████████········   half, half free
 *   weights 1 and 1    █████▒▒▒▒▒······   a third each, a third free
 *   weights 1 and 2    ████▒▒▒▒▒▒▒▒····   a quarter, a half, a quarter free
 * </pre>
 */
final class Slots {
  private static final int LARGEST = NewJob.MAX_PAYLOAD_BYTES;

  private final int most;
  private final boolean isShared;
  private int freeJobs;
  private long freeBytes;
  private final Map<String, TakenSlots> taken = new HashMap<>();

  /** Those that differ from the default. */
  private final Map<String, Integer> weights = new ConcurrentHashMap<>();

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
   * @param beside the weight of the others that will take theirs next
   * @return how many, 0 to {@code wanted}
   */
  synchronized int reserve(String queue, int wanted, int beside) {
    int jobs = Math.min(wanted, mayHave(taken.get(queue), weightOf(queue), beside));
    if (jobs > 0) {
      take(queue, jobs, (long) jobs * LARGEST);
    }
    return jobs;
  }

  private int mayHave(@Nullable TakenSlots has, int weight, int beside) {
    if (!isShared) {
      return (int) Math.min(freeJobs, freeBytes / LARGEST);
    }
    int heldJobs = has == null ? 0 : has.jobs;
    long heldBytes = has == null ? 0 : has.bytes;
    // After all have taken theirs, a queue holds its weight times what is free.
    int shares = 1 + weight + beside;
    long jobs = Math.max(0, (long) weight * freeJobs - heldJobs) / shares;
    long bytes = Math.max(0, weight * freeBytes - heldBytes) / shares;
    int least = has == null && hasRoom() ? 1 : 0;
    return (int) Math.max(least, Math.min(jobs, bytes / LARGEST));
  }

  /** The queue has this weight from now on. */
  void weigh(String queue, int weight) {
    if (weight == QueueSettings.DEFAULT_WEIGHT) {
      weights.remove(queue);
    } else {
      weights.put(queue, weight);
    }
  }

  /** The weights of the queues, in their order. */
  SequencedMap<String, Integer> weights(List<String> queues) {
    SequencedMap<String, Integer> of = new LinkedHashMap<>();
    queues.forEach(queue -> of.put(queue, weightOf(queue)));
    return of;
  }

  private int weightOf(String queue) {
    return weights.getOrDefault(queue, QueueSettings.DEFAULT_WEIGHT);
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
