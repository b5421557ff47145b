package dev.ebb.db.schedule;

import dev.ebb.core.schedule.Schedule;
import dev.ebb.db.schedule.FireRow.Mark;
import dev.ebb.db.schedule.FireRow.StoredFire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a node fired, for those who count it and those who tell the workers. */
public final class FireTally {
  private final List<Served> fires = new ArrayList<>();
  private final Set<String> queues = new HashSet<>();
  private final Map<String, Exception> failures = new HashMap<>();
  private final Set<String> elsewhere = new HashSet<>();
  private long misfires;
  private boolean isAll = true;
  private Instant latest = Instant.EPOCH;

  /**
   * A fire that was served.
   *
   * @param lateness how long after its time; {@code null} if it is a misfire, waited, or was run by
   *     hand
   */
  public record Served(FireView.Result result, @Nullable Duration lateness) {}

  /** The fires of this node alone, in no order. */
  public List<Served> fires() {
    return fires;
  }

  /** How many fire times passed unserved, whether or not they made a job. */
  public long misfires() {
    return misfires;
  }

  /**
   * The latest fire time that was served, which the database's clock had reached; the epoch for
   * none.
   */
  public Instant latest() {
    return latest;
  }

  /** The queues that got jobs. */
  public Set<String> queues() {
    return queues;
  }

  /** Those that could not be fired now, by name; they are due still. */
  public Map<String, Exception> failures() {
    return failures;
  }

  /** Those that another node was firing, of which this one does not know whether they can be. */
  public Set<String> elsewhere() {
    return elsewhere;
  }

  void add(FireTally others) {
    fires.addAll(others.fires);
    queues.addAll(others.queues);
    failures.putAll(others.failures);
    misfires += others.misfires;
    latest = later(latest, others.latest);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** Adds what became of fires of a schedule. */
  void add(DueSchedule due, List<StoredFire> fires, Map<FireKey, Instant> served) {
    Map<FireKey, Mark> marks =
        due.marks().stream().collect(Collectors.toMap(Mark::key, Function.identity()));
    for (StoredFire fire : fires) {
      Mark mark = Objects.requireNonNull(marks.get(fire.key()));
      misfires += due.misfires(mark);
      latest = later(latest, mark.fireAt());
      Instant at = served.get(fire.key());
      add(
          fire,
          due.schedule(),
          at == null || due.isMisfire(mark) ? null : Duration.between(mark.fireAt(), at));
    }
  }

  /** Adds what became of a fire. */
  void add(StoredFire fire, Schedule schedule, @Nullable Duration lateness) {
    fires.add(new Served(fire.result(), lateness));
    if (fire.result() == FireView.Result.SUBMITTED) {
      queues.add(schedule.template().queue());
    }
  }

  /** Some were left to another transaction. */
  void leftSome() {
    isAll = false;
  }

  boolean isAll() {
    return isAll;
  }

  void elsewhere(List<String> schedules) {
    elsewhere.addAll(schedules);
  }

  void failed(String schedule, Exception why) {
    failures.put(schedule, why);
  }
}
