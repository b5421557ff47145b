package dev.ebb.db.schedule;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.connection.Statements;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Fires schedules: makes jobs of the fires that are due by the database's clock.
 *
 * <p>Any number of nodes may do so at a time. One bad schedule delays itself alone: where a
 * transaction of several fails, each of them gets one of its own.
 */
public final class Firing {
  /** How many schedules share a transaction. */
  static final int BATCH = 200;

  /** After so many schedules for each of which the server takes too long, the rest wait. */
  private static final int MOST_TOO_SLOW = 2;

  /** How long a transaction waits for a lock that somebody else has. */
  private static final Duration LOCK_PATIENCE = Duration.ofMillis(250);

  /** How long it may compute between two statements: the fires of a day are many. */
  private static final Duration COMPUTING = Duration.ofSeconds(5);

  private static final String PATIENCE =
      """
      select
        set_config('lock_timeout', ?, true),
        set_config('idle_in_transaction_session_timeout', ?, true)
      """;

  // Steps from instant to instant along the index: many schedules may share one.
  private static final String UPCOMING =
      """
      with recursive upcoming (at, number) as (
        (
          select s.next_fire_at, 1
          from ebb.schedule s
          where s.paused_since is null and s.next_fire_at is not null
          order by s.next_fire_at
          limit 1
        )
        union all
        select
          (
            select s.next_fire_at
            from ebb.schedule s
            where s.paused_since is null and s.next_fire_at > u.at
            order by s.next_fire_at
            limit 1
          ),
          u.number + 1
        from upcoming u
        where u.at is not null and u.number < ?
      )
      select at
      from upcoming
      where at is not null
      """;

  private static final String OVERDUE =
      """
      select
        clock_timestamp() as now,
        exists (select from ebb.schedule) as some,
        exists (
          select
          from ebb.schedule s
          where s.paused_since is null
            and s.next_fire_at < statement_timestamp() - interval '1 second') as overdue
      """;

  private static final String WAITING =
      """
      select
        s.name,
        s.overlap = 'allow'
          or not exists (select from ebb.job j where j.id = s.last_job) as startable
      from ebb.schedule s
      where s.waiting > 0 and s.paused_since is null
      order by s.name
      """;

  private final Database database;
  private final String node;
  private volatile boolean stopped;

  public Firing(Database database, String node) {
    this.database = database;
    this.node = node;
  }

  /** A schedule of which fires wait, and whether the job before them has ended. */
  private record Waiting(String name, boolean startable) {}

  /**
   * Fires all schedules that are due, and that nobody else fires.
   *
   * @param fired to which what was fired is added, also if this throws
   */
  public void fireDue(FireTally fired) throws SQLException {
    boolean isAll = false;
    while (!isAll && !stopped) {
      isAll = true;
      List<String> due = database.inAutocommit(DueSchedule::names);
      for (int from = 0; from < due.size() && !stopped; from += BATCH) {
        isAll &= fire(due.subList(from, Math.min(due.size(), from + BATCH)), fired);
      }
    }
  }

  /** Whether none of them is left that could be fired now. */
  private boolean fire(List<String> names, FireTally fired) throws SQLException {
    try {
      FireTally batch = inPatience(c -> DueBatch.fire(c, node, names, FireJobs::store));
      fired.add(batch);
      return batch.isAll();
    } catch (DueBatch.Elsewhere e) {
      // If the other node comes to nothing, somebody will look again.
      fired.elsewhere(names);
      return true;
    } catch (SQLException | RuntimeException e) {
      rethrowIfOfTheServer(e);
      eachAlone(names, fired);
      return true;
    }
  }

  /**
   * Ends early at a server that is too slow for several: asked for each, it would keep those that
   * are not due yet from firing for minutes. What is left stays due; chance decides who is first.
   */
  private void eachAlone(List<String> names, FireTally fired) throws SQLException {
    List<String> shuffled = new ArrayList<>(names);
    Collections.shuffle(shuffled);
    int tooSlow = 0;
    for (String name : shuffled) {
      alone(name, fired, c -> DueBatch.fire(c, node, List.of(name), FireJobs::storeOrRefuse));
      if (fired.failures().get(name) instanceof SQLException e && SqlStates.isTooSlow(e)) {
        tooSlow++;
      }
      if (tooSlow == MOST_TOO_SLOW) {
        return;
      }
    }
  }

  /** Throws what every other transaction would meet, too. */
  private static void rethrowIfOfTheServer(Exception failure) throws SQLException {
    if (failure instanceof SQLException sql && SqlStates.isOfTheServer(sql)) {
      throw sql;
    }
  }

  /**
   * Makes a job of the fire that waits longest in each schedule whose last job has ended.
   *
   * @param fired as of {@link #fireDue}
   * @return whether there were fires that waited
   */
  public boolean startWaiting(FireTally fired) throws SQLException {
    List<Waiting> waiting =
        database.inAutocommit(c ->
            Statements.list(
                c,
                WAITING,
                _ -> {},
                row -> new Waiting(row.getString("name"), row.getBoolean("startable"))));
    for (Waiting one : waiting) {
      if (one.startable) {
        alone(one.name, fired, c -> WaitingFire.start(c, node, one.name));
      }
    }
    return !waiting.isEmpty();
  }

  private void alone(String name, FireTally fired, Database.Work<FireTally> work)
      throws SQLException {
    if (stopped) {
      return;
    }
    try {
      fired.add(inPatience(work));
    } catch (DueBatch.Elsewhere e) {
      fired.elsewhere(List.of(name));
    } catch (SQLException | RuntimeException e) {
      rethrowIfOfTheServer(e);
      fired.failed(name, e);
    }
  }

  private FireTally inPatience(Database.Work<FireTally> work) throws SQLException {
    return database.inTransaction(connection -> {
      Statements.run(
          connection,
          PATIENCE,
          p -> p.text(Patience.setting(LOCK_PATIENCE)).text(Patience.setting(COMPUTING)));
      return work.on(connection);
    });
  }

  /** The next instants at which a schedule fires, and those at which it should have fired. */
  public List<Instant> upcoming(int limit) throws SQLException {
    return database.inAutocommit(
        c -> Statements.list(c, UPCOMING, p -> p.integer(limit), row -> Rows.instant(row, "at")));
  }

  /**
   * A look at the clock.
   *
   * @param now what the database's clock says
   * @param some whether there is a schedule
   * @param overdue whether one has been due for more than a second
   */
  public record Look(Instant now, boolean some, boolean overdue) {}

  public Look look() throws SQLException {
    return database.inAutocommit(c ->
        Statements.one(
            c,
            OVERDUE,
            _ -> {},
            row ->
                new Look(
                    Rows.instant(row, "now"), row.getBoolean("some"), row.getBoolean("overdue"))));
  }

  /**
   * Brings near the next fires that lie behind the first ones after now, because they were computed
   * while the database's clock ran ahead; answers the names of their schedules.
   */
  public List<String> bringNear() throws SQLException {
    List<String> mended = new ArrayList<>();
    String after = "";
    do {
      String from = after;
      after = database.inAutocommit(c -> SetBack.bringNear(c, from, mended));
    } while (!after.isEmpty() && !stopped);
    return mended;
  }

  /** Has a call that is under way end after the transaction at which it is. */
  public void stop() {
    stopped = true;
  }
}
