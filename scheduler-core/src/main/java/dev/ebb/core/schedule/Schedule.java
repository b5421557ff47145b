package dev.ebb.core.schedule;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A schedule: its times and the job that it submits. The rules named here are checked when it is
 * built; a broken one throws {@link InvalidInput}. Whether it fires at all is for {@link FireTimes}
 * to say.
 *
 * @param name a lower-case letter or digit, then those and {@code _ . -}, at most 63
 * @param zone UTC or one of IANA's by area and place
 * @param startAt no fire comes before it; in whole seconds, in the years 2000 to 9999
 * @param endAt no fire comes at it or after it; after startAt, in the same bounds
 * @param exclusions days without a fire, by the local date of the fire
 * @param template without runAt and delay; at most 14 labels, and none that a fire adds; the unique
 *     key is a pattern that each fire fills
 */
public record Schedule(
    String name,
    Timing timing,
    ZoneId zone,
    @Nullable Instant startAt,
    @Nullable Instant endAt,
    Exclusions exclusions,
    NewJob template,
    Misfires misfires,
    Overlap overlap) {
  private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  public Schedule {
    requireName(name);
    TimeZones.require(zone);
    requireBound("startAt", startAt);
    requireBound("endAt", endAt);
    require(
        startAt == null || endAt == null || startAt.isBefore(endAt),
        "endAt",
        "must be after startAt");
    JobTemplate.require(template, name);
  }

  /** Throws unless a schedule may have the name. */
  public static void requireName(String name) {
    try {
      NewJob.requireQueue(name);
    } catch (InvalidInput e) {
      throw new InvalidInput("name", e.rule());
    }
  }

  private static void requireBound(String field, @Nullable Instant bound) {
    if (bound != null) {
      require(
          bound.equals(bound.truncatedTo(ChronoUnit.SECONDS)), field, "must be in whole seconds");
      require(
          !bound.isBefore(FIRST) && !bound.isAfter(LAST),
          field,
          "must lie in the years 2000 to 9999");
    }
  }

  /** From where its interval counts, if it is created at that instant. */
  public Instant originAt(Instant created) {
    return startAt == null ? created.truncatedTo(ChronoUnit.SECONDS) : startAt;
  }

  /** The job that a fire submits: its unique key filled, with the labels schedule and fireAt. */
  public NewJob jobAt(Instant fireAt) {
    return JobTemplate.filled(template, name, zone, fireAt);
  }
}
