package dev.ebb.core.retry;

import java.util.random.RandomGenerator;

/**
 * Chance for one draw of each of many jobs: every draw falls into a part of the range of its own,
 * in an order by chance. So quantiles over the jobs need fewer of them than with free draws.
 */
final class Strata implements RandomGenerator {
  private final RandomGenerator random;
  private final int[] parts;
  private int next;

  /**
   * @param draws how many will be drawn, at most
   */
  Strata(int draws, RandomGenerator random) {
    this.random = random;
    this.parts = new int[draws];
    for (int i = 0; i < draws; i++) {
      int other = random.nextInt(i + 1);
      parts[i] = parts[other];
      parts[other] = i;
    }
  }

  @Override
  public long nextLong() {
    return random.nextLong();
  }

  @Override
  public long nextLong(long origin, long bound) {
    return origin + Math.min(bound - origin - 1, (long) (place() * (bound - origin)));
  }

  @Override
  public int nextInt(int bound) {
    return Math.min(bound - 1, (int) (place() * bound));
  }

  private double place() {
    return (parts[next++] + random.nextDouble()) / parts.length;
  }
}
