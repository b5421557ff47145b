package dev.ebb.core.operation;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far an operation has come with one of its stages. The last one has no size: it is the rest.
 *
 * @param number from 1
 * @param size how many jobs it takes; {@code null} for the rest
 * @param done how many jobs were acted on
 * @param ended of how many the next attempt has ended
 * @param failed of how many of those it failed
 */
public record Stage(int number, @Nullable Integer size, int done, int ended, int failed) {
  /** The rest is not judged by fewer attempts. */
  static final int FEWEST = 10;

  /** The stage of that number among the sizes, with its counts. */
  public static Stage of(List<Integer> sizes, int number, int done, int ended, int failed) {
    return new Stage(
        number, number <= sizes.size() ? sizes.get(number - 1) : null, done, ended, failed);
  }

  /** How many more jobs it takes. */
  public int left() {
    return size == null ? Integer.MAX_VALUE : size - done;
  }

  /** Whether it has taken all its jobs; the rest never has. */
  public boolean isFull() {
    return left() <= 0;
  }

  /** Whether so many failed that the operation has to stop: a stage is judged by all its jobs. */
  public boolean failsBeyond(double ratio) {
    int judged = size == null ? ended : size;
    return (size != null || ended >= FEWEST) && failed > ratio * judged;
  }

  /** Why it stops, for people. */
  public String verdict(double ratio) {
    int judged = size == null ? ended : size;
    BigDecimal percent = BigDecimal.valueOf(ratio).movePointRight(2).stripTrailingZeros();
    return failed
        + " of "
        + judged
        + (judged == 1 ? " job" : " jobs")
        + " of stage "
        + number
        + " failed: more than "
        + percent.toPlainString()
        + " %";
  }
}
