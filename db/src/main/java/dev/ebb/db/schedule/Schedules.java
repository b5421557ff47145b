package dev.ebb.db.schedule;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.schedule.Fire;
import dev.ebb.core.schedule.FireTimes;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.submit.Submit;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The schedules: every verb that people use on them. */
public final class Schedules {
  /** How many may be stored. */
  static final int MOST = 10_000;

  private static final String IS_FULL =
      """
      select count(*) >= ?
      from (select from ebb.schedule limit ?) s
      """;

  // Of two that create it at a time, the second waits for the first, and inserts nothing.
  private static final String INSERT =
      """
      insert into ebb.schedule (%s, name, origin, next_fire_at)
      values (%s, ?, ?, ?)
      on conflict (name) do nothing
      """
          .formatted(ScheduleRow.BOUND, ScheduleRow.PLACES);

  private static final String UPDATE =
      """
      update ebb.schedule
      set
        (%s, origin, next_fire_at) = row (%s, ?, ?),
        version = version + 1, changed_at = statement_timestamp()
      where name = ?
      """
          .formatted(ScheduleRow.BOUND, ScheduleRow.PLACES);

  private static final String PAUSE =
      """
      update ebb.schedule
      set version = version + 1, changed_at = statement_timestamp(),
        paused_since = statement_timestamp(), paused_by = ?, pause_reason = ?
      where name = ? and paused_since is null
      """;

  private static final String RESUME =
      """
      update ebb.schedule
      set version = version + 1, changed_at = statement_timestamp(), next_fire_at = ?,
        paused_since = null, paused_by = null, pause_reason = null
      where name = ? and paused_since is not null
      """;

  private static final String DELETE =
      """
      delete from ebb.schedule
      where name = ?
      """;

  private static final String DELETE_FIRES =
      """
      delete from ebb.schedule_fire
      where schedule = ?
      """;

  private final Database database;

  public Schedules(Database database) {
    this.database = database;
  }

  /** A schedule that was written, and whether there was none of its name before. */
  public record ScheduleWrite(ScheduleView schedule, boolean created) {}

  public Optional<ScheduleView> find(String name) throws SQLException {
    return database.inAutocommit(c -> Optional.ofNullable(ScheduleReads.find(c, name)));
  }

  /**
   * A page of the schedules, in the order of their names.
   *
   * @param after the name before the first one on the page; {@code null} for the first page
   */
  public SchedulePage page(@Nullable String after, int limit) throws SQLException {
    String from = after == null ? "" : after;
    return database.inAutocommit(connection -> ScheduleReads.page(connection, from, limit));
  }

  /**
   * Creates the schedule or replaces it. Its next fire is the first after now. One that is replaced
   * keeps its pause, and the fires that wait: they become jobs of the new template. While its times
   * stay the same, so do those of its fires that are due.
   *
   * @param condition told what there is, under its lock, empty if there is nothing; it throws to
   *     leave it so
   * @throws InvalidInput if it will never fire, its payload is not JSON, or there is no room
   */
  public ScheduleWrite put(Schedule schedule, Act act, Consumer<Optional<ScheduleView>> condition)
      throws SQLException {
    Submit.check(List.of(schedule.template()));
    return database.inTransaction(connection -> {
      ScheduleWrite written = null;
      ScheduleView before = null;
      // Somebody may create the row, or remove it, between two statements.
      while (written == null) {
        before = ScheduleReads.lock(connection, schedule.name());
        condition.accept(Optional.ofNullable(before));
        written =
            before == null ? create(connection, schedule) : replace(connection, before, schedule);
      }
      Audit.write(
          connection,
          act,
          "schedule.put",
          schedule.name(),
          ScheduleChanges.of(before == null ? null : before.schedule(), schedule));
      return written;
    });
  }

  private static @Nullable ScheduleWrite create(Connection connection, Schedule schedule)
      throws SQLException {
    boolean isFull =
        Statements.one(
            connection, IS_FULL, p -> p.integer(MOST).integer(MOST), row -> row.getBoolean(1));
    require(!isFull, "schedule", "must be one of at most " + MOST + " that are stored");
    Instant now = ScheduleReads.now(connection);
    Instant origin = origin(schedule, null, now);
    Instant first = first(schedule, origin, now);
    int inserted =
        Statements.update(
            connection,
            INSERT,
            p -> ScheduleRow.bind(p, schedule).text(schedule.name()).time(origin).time(first));
    return inserted == 0 ? null : new ScheduleWrite(written(connection, schedule), true);
  }

  private static ScheduleWrite replace(
      Connection connection, ScheduleView before, Schedule schedule) throws SQLException {
    Instant now = ScheduleReads.now(connection);
    Instant origin = origin(schedule, before, now);
    Instant first = first(schedule, origin, now);
    Instant next =
        isDue(before, now) && hasSameTimes(schedule, before) ? before.nextFireAt() : first;
    Statements.update(
        connection,
        UPDATE,
        p -> ScheduleRow.bind(p, schedule).time(origin).time(next).text(schedule.name()));
    return new ScheduleWrite(written(connection, schedule), false);
  }

  /** From when an interval counts: one that stays goes on as it did. */
  private static Instant origin(Schedule schedule, @Nullable ScheduleView before, Instant now) {
    if (before != null
        && schedule.startAt() == null
        && before.schedule().timing() instanceof Timing.Every old
        && old.equals(schedule.timing())) {
      return before.origin();
    }
    return schedule.originAt(now);
  }

  /** Whether it has fires that nobody has served, and that a pause does not drop. */
  private static boolean isDue(ScheduleView before, Instant now) {
    Instant next = before.nextFireAt();
    return before.pause() == null && next != null && !next.isAfter(now);
  }

  private static boolean hasSameTimes(Schedule schedule, ScheduleView before) {
    Schedule old = before.schedule();
    return schedule.timing().equals(old.timing())
        && schedule.zone().equals(old.zone())
        && Objects.equals(schedule.startAt(), old.startAt())
        && Objects.equals(schedule.endAt(), old.endAt())
        && schedule.exclusions().equals(old.exclusions());
  }

  private static Instant first(Schedule schedule, Instant origin, Instant after) {
    FireTimes.requireFires(schedule, origin, after);
    Fire first = FireTimes.next(schedule, origin, after);
    if (first == null) {
      throw new InvalidInput(
          schedule.endAt() == null ? "cron" : "endAt", "must leave a fire after now");
    }
    return first.at();
  }

  private static ScheduleView written(Connection connection, Schedule schedule)
      throws SQLException {
    ScheduleView view = ScheduleReads.find(connection, schedule.name());
    if (view == null) {
      throw new SQLException("schedule " + schedule.name() + " is not there after its write");
    }
    return view;
  }

  /**
   * Removes the schedule with its fires; the jobs that it made stay.
   *
   * @param condition as of {@link #put}; not asked where there is none
   * @return whether there was one
   */
  public boolean delete(String name, Act act, Consumer<Optional<ScheduleView>> condition)
      throws SQLException {
    return database.inTransaction(connection -> {
      ScheduleView before = ScheduleReads.lock(connection, name);
      if (before == null) {
        return false;
      }
      condition.accept(Optional.of(before));
      Statements.update(connection, DELETE_FIRES, p -> p.text(name));
      Statements.update(connection, DELETE, p -> p.text(name));
      Audit.write(
          connection, act, "schedule.delete", name, ScheduleChanges.of(before.schedule(), null));
      return true;
    });
  }

  /**
   * Has it fire no more until it is resumed; empty if there is none. One that is paused stays so.
   */
  public Optional<ScheduleView> pause(String name, Act act) throws SQLException {
    return change(
        name,
        act,
        "schedule.pause",
        (connection, _) ->
            Statements.update(
                connection, PAUSE, p -> p.text(act.actor()).text(act.reason()).text(name)));
  }

  /** The fires that came meanwhile are dropped: the next one is the first after now. */
  public Optional<ScheduleView> resume(String name, Act act) throws SQLException {
    return change(
        name,
        act,
        "schedule.resume",
        (connection, before) -> {
          Instant now = ScheduleReads.now(connection);
          Fire next = FireTimes.next(before.schedule(), before.origin(), now);
          return Statements.update(
              connection, RESUME, p -> p.time(next == null ? null : next.at()).text(name));
        });
  }

  /** A write of a row that is locked; answers how many rows it wrote. */
  @FunctionalInterface
  private interface Change {
    int of(Connection connection, ScheduleView before) throws SQLException;
  }

  private Optional<ScheduleView> change(String name, Act act, String action, Change change)
      throws SQLException {
    return database.inTransaction(connection -> {
      ScheduleView before = ScheduleReads.lock(connection, name);
      if (before == null) {
        return Optional.empty();
      }
      if (change.of(connection, before) == 0) {
        return Optional.of(before);
      }
      Audit.write(connection, act, action, name, 1);
      return Optional.of(written(connection, before.schedule()));
    });
  }

  /** Submits its job now, whatever its times say; empty if there is none. */
  public Optional<HandRun> run(String name, Act act) throws SQLException {
    return database.inTransaction(connection -> HandFire.run(connection, name, act));
  }

  /** The same, unless an earlier request had the key. */
  public Optional<HandRun> run(String name, Act act, IdempotencyKey key) throws SQLException {
    return database.inTransaction(connection -> HandFire.run(connection, name, act, key));
  }

  /** The fires that are kept, the newest first. */
  public FirePage fires(String name, @Nullable Instant before, int limit) throws SQLException {
    return database.inAutocommit(
        connection -> ScheduleReads.fires(connection, name, before, limit));
  }

  /**
   * The last fires of each of these schedules, the newest first; none for one that has not fired.
   *
   * @param each how many of each
   */
  public Map<String, List<FireView>> recent(Collection<String> names, int each)
      throws SQLException {
    return database.inAutocommit(connection -> RecentFires.of(connection, names, each));
  }

  /** What the database's clock says. */
  public Instant now() throws SQLException {
    return database.inAutocommit(ScheduleReads::now);
  }
}
