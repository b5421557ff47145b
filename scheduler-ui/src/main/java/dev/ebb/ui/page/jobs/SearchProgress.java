package dev.ebb.ui.page.jobs;

import dev.ebb.api.http.Query;
import dev.ebb.contract.JobCount;
import dev.ebb.contract.JobList;
import dev.ebb.contract.Problem;
import dev.ebb.ui.page.Page;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How far a search has come that goes on by itself. Each request carries it on to the next: the
 * server keeps nothing.
 *
 * @param looked at how many jobs, from the first on
 * @param found how many of them match
 * @param backTo when the oldest of them was submitted; {@code null} for none
 * @param cursor where the rest begins; {@code null} at the end
 * @param whole whether it began at the newest job
 * @param oldest when the oldest job was submitted that is kept; {@code null} while nobody asked
 * @param run what it has used since its reader last asked for it
 * @param stopped whether its reader stopped it
 * @param problem what stopped it; {@code null} for nothing
 */
public record SearchProgress(
    long looked,
    long found,
    @Nullable Instant backTo,
    @Nullable String cursor,
    boolean whole,
    @Nullable Instant oldest,
    Run run,
    boolean stopped,
    @Nullable Problem problem) {
  /** Where a search goes on. */
  static final String FURTHER = "/jobs/further";

  /** Rows that a search finds before it waits to be asked for more. */
  static final int ENOUGH = 50;

  /** What a search uses by itself, at most; docs/limits.md says it. */
  private static final Run BUDGET = new Run(1_000_000, 30_000);

  /** What requests used. */
  public record Run(long jobs, long millis) {
    static final Run NONE = new Run(0, 0);

    boolean isWithin(Run budget) {
      return jobs < budget.jobs && millis < budget.millis;
    }
  }

  /** After a page that did not come full. */
  static SearchProgress after(JobList page, boolean whole) {
    JobList.SearchReach looked = page.looked();
    return new SearchProgress(
        looked.jobs(),
        page.items().size(),
        looked.backTo(),
        page.nextCursor(),
        whole,
        null,
        Run.NONE,
        false,
        null);
  }

  /** As the request before left it. */
  static SearchProgress of(Query query) {
    return new SearchProgress(
        number(query, "looked"),
        number(query, "found"),
        instant(query, "backTo"),
        query.value("cursor"),
        query.flag("whole", false),
        instant(query, "oldest"),
        new Run(number(query, "jobs"), number(query, "millis")),
        query.flag("stop", false),
        null);
  }

  private static long number(Query query, String name) {
    String value = query.value(name);
    return value != null && value.matches("[0-9]{1,15}") ? Long.parseLong(value) : 0;
  }

  private static @Nullable Instant instant(Query query, String name) {
    try {
      String value = query.value(name);
      return value == null ? null : Instant.parse(value);
    } catch (DateTimeParseException _) {
      return null;
    }
  }

  /** After one more page of the API, which took so long. */
  SearchProgress and(JobList page, Duration took) {
    JobList.SearchReach more = page.looked();
    return new SearchProgress(
        looked + more.jobs(),
        found + page.items().size(),
        more.backTo() == null ? backTo : more.backTo(),
        page.nextCursor(),
        whole,
        oldest,
        new Run(run.jobs + more.jobs(), run.millis + took.toMillis()),
        stopped,
        null);
  }

  SearchProgress withOldest(@Nullable Instant oldest) {
    return new SearchProgress(looked, found, backTo, cursor, whole, oldest, run, stopped, problem);
  }

  SearchProgress failed(Problem problem) {
    return new SearchProgress(looked, found, backTo, cursor, whole, oldest, run, stopped, problem);
  }

  /** Whether it looked at all there is. */
  public boolean isAtEnd() {
    return cursor == null;
  }

  /** Whether a page's fill is found. */
  public boolean isFull() {
    return found >= ENOUGH;
  }

  /** Whether the next request is made without being asked for. */
  public boolean goesOn() {
    return !isAtEnd() && !isFull() && !stopped && problem == null && run.isWithin(BUDGET);
  }

  /** Of the time whose jobs are kept, how much was searched; {@code null} while not known. */
  public @Nullable Double share(Instant now) {
    if (oldest == null || backTo == null) {
      return null;
    }
    double kept = Duration.between(oldest, now).toMillis();
    return kept <= 0 ? 1 : Math.clamp(Duration.between(backTo, now).toMillis() / kept, 0, 1);
  }

  /** How many jobs match, if that is known; {@code null} otherwise. */
  public @Nullable JobCount count(Instant now) {
    return isAtEnd() && whole ? new JobCount(found, Map.of(), true, false, now) : null;
  }

  /** Where the next request is made. */
  public String next(Page page, @Nullable String q, JobColumns columns) {
    return address(page, q, columns, run, false);
  }

  /** The same with the whole budget anew. */
  public String again(Page page, @Nullable String q, JobColumns columns) {
    return address(page, q, columns, Run.NONE, false);
  }

  /** Where it stops. */
  public String stop(Page page, @Nullable String q, JobColumns columns) {
    return address(page, q, columns, run, true);
  }

  private String address(
      Page page, @Nullable String q, JobColumns columns, Run used, boolean stop) {
    return page.link(
        FURTHER,
        "q",
        q,
        "columns",
        columns.words(),
        "cursor",
        cursor,
        "looked",
        Long.toString(looked),
        "found",
        Long.toString(found),
        "backTo",
        Objects.toString(backTo, null),
        "whole",
        Boolean.toString(whole),
        "oldest",
        Objects.toString(oldest, null),
        "jobs",
        Long.toString(used.jobs),
        "millis",
        Long.toString(used.millis),
        "stop",
        stop ? "true" : null);
  }
}
