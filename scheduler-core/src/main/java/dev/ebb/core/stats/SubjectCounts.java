package dev.ebb.core.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many attempts ended and failed, for at most {@value #MOST} subjects; the others together.
 *
 * <p>It is the algorithm Space-Saving (A. Metwally, D. Agrawal, A. El Abbadi, <i>Efficient
 * computation of frequent and top-k elements in data streams</i>, 2005): where all places are
 * taken, a new subject takes that of the lightest, and inherits its weight. So a subject keeps its
 * place once it has more than a {@value #MOST}th of all weight, and rare ones only take turns at
 * the last places. A failure weighs {@value #FAILURE} times as much as an attempt that completed.
 *
 * <p>Weights decide about places alone: the counts of a subject are those since it took its place,
 * and what was counted of one that lost it goes to the others. So everything is counted once. Not
 * safe for threads.
 */
public final class SubjectCounts {
  public static final int MOST = 100;

  static final int FAILURE = 16;

  private final Map<String, Place> places = new HashMap<>();
  private long otherAttempts;
  private long otherFailed;

  private static final class Place {
    private long weight;
    private long attempts;
    private long failed;

    private Place(long inherited) {
      weight = inherited;
    }
  }

  /**
   * What was counted of a subject.
   *
   * @param subject {@code null} for all that have no place
   */
  public record Count(@Nullable String subject, long attempts, long failed) {}

  /** Counts an attempt that ended. */
  public void add(String subject, boolean failed) {
    Place place = places.get(subject);
    if (place == null) {
      place = new Place(places.size() < MOST ? 0 : removeLightest());
      places.put(subject, place);
    }
    place.weight += failed ? FAILURE : 1;
    place.attempts++;
    place.failed += failed ? 1 : 0;
  }

  /** Moves its counts to the others, and answers its weight. */
  private long removeLightest() {
    Map.Entry<String, Place> lightest = null;
    for (Map.Entry<String, Place> each : places.entrySet()) {
      if (lightest == null || each.getValue().weight < lightest.getValue().weight) {
        lightest = each;
      }
    }
    if (lightest == null) {
      throw new IllegalStateException("no place is taken");
    }
    Place place = lightest.getValue();
    places.remove(lightest.getKey());
    otherAttempts += place.attempts;
    otherFailed += place.failed;
    return place.weight;
  }

  /** The counts, those of most failures first; those of the others, if there are any, last. */
  public List<Count> counts() {
    List<Count> counts = new ArrayList<>();
    places.forEach(
        (subject, place) -> counts.add(new Count(subject, place.attempts, place.failed)));
    counts.sort(Comparator.comparingLong(Count::failed).reversed());
    if (otherAttempts > 0) {
      counts.add(new Count(null, otherAttempts, otherFailed));
    }
    return counts;
  }
}
