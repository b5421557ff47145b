package dev.ebb.core.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision on the due fires of a schedule.
 *
 * <p>A fire on time makes a job. One that is served more than {@link Misfires#AFTER} late is a
 * misfire, and the schedule's rule says which of the misfires make a job.
 *
 * @param fires those that make a job, misfires included, the earliest first
 * @param misfires how many of the due fires are misfires; {@value #MOST_COUNTED} for at least so
 *     many
 * @param missed how many of the misfires make no job: the earliest misfire that makes one stands
 *     for them, or {@code lastSkipped}
 * @param lastSkipped the last misfire, if none makes a job
 * @param next the first fire that is not due; {@code null} if there is none
 */
public record DueFires(
    List<Instant> fires,
    long misfires,
    long missed,
    @Nullable Instant lastSkipped,
    @Nullable Instant next) {
  /** Where counting misfires ends. */
  public static final int MOST_COUNTED = 100_000;

  public DueFires {
    fires = List.copyOf(fires);
  }

  /**
   * Those of a schedule at an instant.
   *
   * @param nextFireAt the first fire that was not served: none before it is looked for, and it is a
   *     fire even if the rules of the zone have changed since it was computed
   */
  public static DueFires of(Schedule schedule, Instant origin, Instant nextFireAt, Instant now) {
    Fires all = new Fires(schedule, origin, nextFireAt);
    if (now.isBefore(nextFireAt)) {
      return new DueFires(List.of(), 0, 0, null, all.from(nextFireAt));
    }
    Instant onTime = latest(nextFireAt, now.minus(Misfires.AFTER));
    int misfires = all.count(nextFireAt, onTime, MOST_COUNTED);
    int late = Math.min(misfires, schedule.misfires().mostJobs());
    List<Instant> fires = new ArrayList<>(all.last(late, nextFireAt, onTime));
    fires.addAll(all.between(onTime, now.plusNanos(1)));
    Instant lastSkipped =
        misfires > 0 && late == 0 ? all.last(1, nextFireAt, onTime).getFirst() : null;
    return new DueFires(fires, misfires, misfires - late, lastSkipped, all.from(now.plusNanos(1)));
  }

  private static Instant latest(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  /** The fires of a schedule, in spans whose end is not part of them. */
  private record Fires(Schedule schedule, Instant origin, Instant unserved) {
    @Nullable Instant from(Instant start) {
      if (!start.isAfter(unserved)) {
        return unserved;
      }
      Fire fire = FireTimes.next(schedule, origin, start.minusNanos(1));
      return fire == null ? null : fire.at();
    }

    /** The first one of the span; {@code null} if it has none. */
    private @Nullable Instant first(Instant start, Instant end) {
      Instant fire = from(start);
      return fire != null && fire.isBefore(end) ? fire : null;
    }

    List<Instant> between(Instant start, Instant end) {
      List<Instant> fires = new ArrayList<>();
      Instant fire = first(start, end);
      while (fire != null) {
        fires.add(fire);
        fire = first(fire.plusNanos(1), end);
      }
      return fires;
    }

    /** How many there are, as far as that. */
    int count(Instant start, Instant end, int most) {
      int count = 0;
      Instant fire = first(start, end);
      while (fire != null && count < most) {
        count++;
        fire = first(fire.plusNanos(1), end);
      }
      return count;
    }

    /** The last ones of a span that has as many, found without a look at those before them. */
    List<Instant> last(int count, Instant start, Instant end) {
      if (count == 0) {
        return List.of();
      }
      // Bisects for the latest second from which so many are left.
      long enough = 0;
      long tooFew = Duration.between(start, end).toSeconds() + 1;
      while (tooFew - enough > 1) {
        long middle = (enough + tooFew) / 2;
        if (count(start.plusSeconds(middle), end, count) == count) {
          enough = middle;
        } else {
          tooFew = middle;
        }
      }
      return between(start.plusSeconds(enough), end);
    }
  }
}
