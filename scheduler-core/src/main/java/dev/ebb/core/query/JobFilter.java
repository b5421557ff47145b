package dev.ebb.core.query;

import dev.ebb.core.query.Condition.Comparison;
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
 * @param group the group of dead letters that it is in, or a row of groups; {@code null} for any
 * @param words texts all of which its id, queue, kind, unique key and labels' values hold together,
 *     whatever the case
 * @param uniqueKey exactly its unique key; {@code null} for any
 * @param orderingKey exactly its ordering key; {@code null} for any
 * @param attempts how often it was started
 * @param created when it was submitted
 * @param ended when it was completed, was cancelled or died; any bound leaves out what has not
 *     ended
 * @param due when it becomes due; its ages are negative, because it lies ahead. With any bound
 *     there are no phases but those in which a job waits
 * @param payload what its payload holds; {@code null} for any
 * @param subject exactly what it is about; {@code null} for any
 * @param destination exactly where its delivery goes; {@code null} for any
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
    @Nullable String orderingKey,
    Range attempts,
    Period created,
    Period ended,
    Period due,
    @Nullable PayloadSearch payload,
    @Nullable String subject,
    @Nullable String destination) {
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
          null,
          Range.ANY,
          Period.ANY,
          Period.ANY,
          Period.ANY,
          null,
          null,
          null);

  public JobFilter {
    phases = Collections.unmodifiableSet(EnumSet.copyOf(phases));
  }

  /** Whether it names nothing but phases and queues. */
  public boolean namesOnlyQueues() {
    return queues.unwanted().isEmpty() && inAnyQueue().equals(ALL.in(phases.toArray(Phase[]::new)));
  }

  /** The same for jobs in any queue. */
  public JobFilter inAnyQueue() {
    return with(phases, ALL.queues, created, ended, due);
  }

  /** The same for jobs in these phases alone. */
  public JobFilter in(Phase... phases) {
    return with(Set.of(phases), queues, created, ended, due);
  }

  /** The same with its ages as times, for jobs alone that were submitted before. */
  public JobFilter asOf(Instant now) {
    Period endedThen = ended.isAny() ? ended : ended.asOf(now);
    return with(phases, queues, created.asOf(now), endedThen, due.fixed(now));
  }

  private JobFilter with(
      Set<Phase> phases, Terms queues, Period created, Period ended, Period due) {
    return new JobFilter(
        phases,
        queues,
        kinds,
        labels,
        errors,
        group,
        words,
        uniqueKey,
        orderingKey,
        attempts,
        created,
        ended,
        due,
        payload,
        subject,
        destination);
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
   * When something happened; {@code null} for no bound. Ages count from the moment of the question.
   *
   * @param from included
   * @param before excluded
   */
  public record Period(
      @Nullable Instant from,
      @Nullable Instant before,
      @Nullable Duration leastAge,
      @Nullable Duration mostAge) {
    static final Period ANY = new Period(null, null, null, null);

    /** Whether it has no bound. */
    public boolean isAny() {
      return equals(ANY);
    }

    /** Whether it holds a time, as of a moment. */
    boolean holds(Instant time, Instant now) {
      Duration age = Duration.between(time, now);
      return (from == null || !time.isBefore(from))
          && (before == null || time.isBefore(before))
          && (leastAge == null || age.compareTo(leastAge) >= 0)
          && (mostAge == null || age.compareTo(mostAge) <= 0);
    }

    /** What of it compares so with the age; equality does not bound it. */
    Period and(Comparison comparison, Duration age) {
      return switch (comparison) {
        case ABOVE, AT_LEAST -> new Period(from, before, later(leastAge, age), mostAge);
        case BELOW, AT_MOST -> new Period(from, before, leastAge, earlier(mostAge, age));
        case IS, EQUALS -> this;
      };
    }

    /** What of it compares so with the time, which is known to the microsecond. */
    Period and(Comparison comparison, Instant time) {
      Instant next = time.plus(1, ChronoUnit.MICROS);
      return switch (comparison) {
        case ABOVE -> new Period(later(from, next), before, leastAge, mostAge);
        case AT_LEAST -> new Period(later(from, time), before, leastAge, mostAge);
        case BELOW -> new Period(from, earlier(before, time), leastAge, mostAge);
        case AT_MOST -> new Period(from, earlier(before, next), leastAge, mostAge);
        case IS, EQUALS -> this;
      };
    }

    /** The same with its ages as times, before that instant. */
    Period asOf(Instant now) {
      Period fixed = fixed(now);
      return leastAge == null
          ? new Period(fixed.from, earlier(fixed.before, now), null, null)
          : fixed;
    }

    /** The same with its ages as times. */
    public Period fixed(Instant now) {
      Instant oldest = mostAge == null ? from : later(from, now.minus(mostAge));
      Instant end =
          leastAge == null
              ? before
              : earlier(before, now.minus(leastAge).plus(1, ChronoUnit.MICROS));
      return new Period(oldest, end, null, null);
    }

    private static <T extends Comparable<T>> T later(@Nullable T one, T other) {
      return one != null && one.compareTo(other) > 0 ? one : other;
    }

    private static <T extends Comparable<T>> T earlier(@Nullable T one, T other) {
      return one != null && one.compareTo(other) < 0 ? one : other;
    }
  }
}
