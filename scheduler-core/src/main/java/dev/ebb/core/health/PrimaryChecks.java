package dev.ebb.core.health;

import static dev.ebb.core.health.Theme.DURABILITY;

import dev.ebb.core.Moment;
import dev.ebb.core.health.ServerHealth.Lost;
import dev.ebb.core.health.ServerHealth.Primaries;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges whether there is one primary, and whether it has just become one. */
final class PrimaryChecks {
  private static final String ONE = "one_primary";
  private static final Duration RECENT = Duration.ofDays(1);

  private PrimaryChecks() {}

  static List<Finding> all(Part<Primaries> primaries, Instant now) {
    return primaries.isRead()
        ? List.of(
            one(primaries.get()), promotion(primaries.get(), now), lost(primaries.get().lost()))
        : List.of(primaries.judged(ONE, DURABILITY, "The database's identity", PrimaryChecks::one));
  }

  private static Finding one(Primaries primaries) {
    Map<String, String> others = primaries.others();
    String summary =
        others.isEmpty()
            ? "One server takes writes, on timeline " + primaries.timeline() + "."
            : others.entrySet().stream()
                .map(other ->
                    other.getKey()
                        + " takes writes and is not used, because "
                        + other.getValue()
                        + ".")
                .collect(Collectors.joining(" "));
    return Finding.of(
            ONE,
            DURABILITY,
            others.isEmpty() ? Verdict.OK : Verdict.BAD,
            summary,
            "Bad if another server of EBB_DB_URL takes writes.")
        .mend(
            "Stop it, or make it a standby of the primary (pg_rewind). What others wrote to it is"
                + " not in Ebb's database.");
  }

  private static Finding lost(@Nullable Lost lost) {
    return Finding.of(
            "lost_jobs",
            DURABILITY,
            lost == null ? Verdict.OK : Verdict.BAD,
            lost == null
                ? "No acknowledged job was found missing in the last seven days."
                : "%s acknowledged jobs are not in the database: a failover or a restore lost what"
                        .formatted(lost.number())
                    + " was acknowledged from %s to %s."
                        .formatted(Moment.words(lost.from()), Moment.words(lost.to())),
            "Bad if a job is missing that was acknowledged within ten minutes before a failover.")
        .mend(
            "GET /v1/database/lost-jobs lists them. Have their senders repeat them, with the same"
                + " Idempotency-Key. Some may have been delivered.");
  }

  private static Finding promotion(Primaries primaries, Instant now) {
    Instant since = primaries.since();
    boolean isRecent = primaries.timeline() > 1 && since != null && since.plus(RECENT).isAfter(now);
    return Finding.of(
            "promotion",
            DURABILITY,
            isRecent ? Verdict.WARN : Verdict.OK,
            isRecent
                ? "A standby was promoted at or before %s: the database is on timeline %s."
                    .formatted(Moment.words(since), primaries.timeline())
                : "No standby was promoted in the last day.",
            "Warns for a day after a standby was promoted.")
        .mend(
            "If the standby followed asynchronously, jobs that were acknowledged just before may"
                + " be missing: have their senders repeat them, with the same Idempotency-Key.");
  }
}
