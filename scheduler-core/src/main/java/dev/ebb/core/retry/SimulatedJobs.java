package dev.ebb.core.retry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Simulated jobs that go from attempt to attempt in step; all times count from the first. */
final class SimulatedJobs {
  /** One in so many that reach an attempt is too few to show. */
  private static final int RARE = 100;

  /** Always the same, so that a question has always the same answer. */
  private static final long SEED = 0x0EBBL;

  private final Duration[] starts;
  private final Duration[] delays;
  private List<Duration> givenUp = new ArrayList<>();
  private int size;

  SimulatedJobs(int jobs) {
    this(jobs, Duration.ZERO);
  }

  /** Jobs whose attempt at time zero follows this delay. */
  SimulatedJobs(int jobs, Duration lastDelay) {
    starts = new Duration[jobs];
    delays = new Duration[jobs];
    Arrays.fill(starts, Duration.ZERO);
    Arrays.fill(delays, lastDelay);
    size = jobs;
  }

  /** What they draw from. */
  static SplittableRandom random() {
    return new SplittableRandom(SEED);
  }

  /** The time by which so many percent are there, 1 to 100. */
  static Duration quantile(Duration[] sorted, int percent) {
    return sorted[(sorted.length * percent + 99) / 100 - 1];
  }

  /** Whether fewer than one in a hundred have not been given up. */
  boolean areRare() {
    return size * RARE < all();
  }

  /** How many there are, given up or not. */
  int all() {
    return size + givenUp.size();
  }

  /** Forgets every second one. */
  void halve() {
    size = (size + 1) / 2;
    for (int i = 0; i < size; i++) {
      starts[i] = starts[2 * i];
      delays[i] = delays[2 * i];
    }
    List<Duration> half = new ArrayList<>();
    for (int i = 0; i < givenUp.size(); i += 2) {
      half.add(givenUp.get(i));
    }
    givenUp = half;
  }

  /** How many have not been given up. */
  int size() {
    return size;
  }

  /** When those that have not been given up started their attempt. */
  Duration[] starts() {
    return Arrays.copyOf(starts, size);
  }

  /** When each was given up; those that were not, as if their attempt were the last. */
  Duration[] ends() {
    List<Duration> ends = new ArrayList<>(givenUp);
    ends.addAll(Arrays.asList(starts()));
    return ends.toArray(Duration[]::new);
  }

  /** Lets the attempt of each fail at once, and starts the next or gives the job up. */
  void fail(Backoff.Draw draw, Duration deadline, RandomGenerator random) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      Duration delay = draw.after(delays[i], random);
      Duration next = starts[i].plus(delay);
      if (next.compareTo(deadline) > 0) {
        givenUp.add(starts[i]);
      } else {
        starts[kept] = next;
        delays[kept++] = delay;
      }
    }
    size = kept;
  }
}
