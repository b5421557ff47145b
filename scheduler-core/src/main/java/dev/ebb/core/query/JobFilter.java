package dev.ebb.core.query;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a list shows, or that a count counts: those that fulfil every part.
 *
 * @param phases one of which a job is in; never empty
 * @param queues one of which it is in; no wanted one for any
 * @param kinds one of which it is of; no wanted one for any
 * @param labels as {@code name=value}, all of which it has
 * @param errors texts all of which its last error holds, whatever the case of their letters
 * @param group the group of dead letters that it is in; {@code null} for any
 * @param words texts all of which its id, queue, kind, unique key and labels' values hold together,
 *     whatever the case
 * @param uniqueKey exactly its unique key; {@code null} for any
 * @param attempts how often it was started
 * @param created when it was submitted
 * @param payload a text that its payload holds; {@code null} for any. Of a delivery only the body
 *     counts: the rest may hold secrets
 */
public record JobFilter(
    Set<Phase> phases,
    Terms queues,
    Terms kinds,
    Terms labels,
    Terms errors,
    @Nullable UUID group,
    Terms words,
    @Nullable String uniqueKey,
    Range attempts,
    Created created,
    @Nullable String payload) {
  /** Every job. */
  public static final JobFilter ALL =
      new JobFilter(
          EnumSet.allOf(Phase.class),
          Terms.NONE,
          Terms.NONE,
          Terms.NONE,
          Terms.NONE,
          null,
          Terms.NONE,
          null,
          Range.ANY,
          Created.ANY_TIME,
          null);

  public JobFilter {
    phases = Collections.unmodifiableSet(EnumSet.copyOf(phases));
  }

  /** The same for jobs in these phases alone. */
  public JobFilter in(Phase... phases) {
    return new JobFilter(
        Set.of(phases),
        queues,
        kinds,
        labels,
        errors,
        group,
        words,
        uniqueKey,
        attempts,
        created,
        payload);
  }

  /** The same with its ages as times, for jobs alone that were submitted before. */
  public JobFilter asOf(Instant now) {
    return new JobFilter(
        phases,
        queues,
        kinds,
        labels,
        errors,
        group,
        words,
        uniqueKey,
        attempts,
        created.asOf(now),
        payload);
  }

  /** Whole numbers, both ends included. */
  public record Range(int least, int most) {
    static final Range ANY = new Range(0, Integer.MAX_VALUE);

    /** What is in both; the least is beyond the most where nothing is. */
    Range and(int least, int most) {
      return new Range(Math.max(this.least, least), Math.min(this.most, most));
    }
  }

  /**
   * Times of a submit; {@code null} for no bound. Ages count from the moment of the question.
   *
   * @param from included
   * @param before excluded
   */
  public record Created(
      @Nullable Instant from,
      @Nullable Instant before,
      @Nullable Duration leastAge,
      @Nullable Duration mostAge) {
    static final Created ANY_TIME = new Created(null, null, null, null);

    /** Ages count from that instant, which is the end. A time is known to the microsecond. */
    Created asOf(Instant now) {
      Instant oldest = mostAge == null ? from : latest(from, now.minus(mostAge));
      Instant end = leastAge == null ? now : now.minus(leastAge).plus(1, ChronoUnit.MICROS);
      return new Created(oldest, before == null || end.isBefore(before) ? end : before, null, null);
    }

    private static Instant latest(@Nullable Instant one, Instant other) {
      return one != null && one.isAfter(other) ? one : other;
    }
  }
}
